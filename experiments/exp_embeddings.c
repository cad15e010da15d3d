/*
 * Embeddings of images and texts. The paper's rows are means over the classes of
 * a set, which we have some of, and its pictures came through ViT, ours mostly through ResNet18. `mnist` is
 * the set of 100 columns that ADBench counts among its tables.
 */
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "experiment.h"

const exp_part exp_parts[EXP_PARTS] = {
    {"mnist", "mnist", "tabular/24_mnist.npz"},
    {"mvtecad", "bottle, ViT", "image-embeddings/ViT_MVTec-AD_bottle.npz"},
    {"mvtecad", "leather, ViT", "image-embeddings/ViT_MVTec-AD_leather.npz"},
    {"mvtecad", "bottle, ResNet18", "image-embeddings/ResNet18_MVTec-AD_bottle.npz"},
    {"mvtecad", "cable, ResNet18", "image-embeddings/ResNet18_MVTec-AD_cable.npz"},
    {"mvtecad", "carpet, ResNet18", "image-embeddings/ResNet18_MVTec-AD_carpet.npz"},
    {"mvtecad", "grid, ResNet18", "image-embeddings/ResNet18_MVTec-AD_grid.npz"},
    {"mvtecad", "leather, ResNet18", "image-embeddings/ResNet18_MVTec-AD_leather.npz"},
    {"mvtecad", "screw, ResNet18", "image-embeddings/ResNet18_MVTec-AD_screw.npz"},
    {"mvtecad", "tile, ResNet18", "image-embeddings/ResNet18_MVTec-AD_tile.npz"},
    {"mvtecad", "zipper, ResNet18", "image-embeddings/ResNet18_MVTec-AD_zipper.npz"},
    {"cifar10", "class 0, ResNet18", "image-embeddings/ResNet18_CIFAR10_0.npz"},
    {"svhn", "class 0, ResNet18", "image-embeddings/ResNet18_SVHN_0.npz"},
    {"20news", "class 3, BERT", "text-embeddings/BERT_20news_3.npz"},
};

static void measure(exp_run *r)
{
    for (int i = 0; i < EXP_PARTS; i++) {
        if (!sets_listed(r->sets, exp_parts[i].group)) continue;
        for (int seed = 0; seed < r->seeds; seed++) {
            if (!exp_wants(r, exp_parts[i].group, exp_parts[i].name, seed)) continue;
            table_set set;
            exp_data(set.path, sizeof set.path, exp_parts[i].place);
            snprintf(set.name, sizeof set.name, "%s", exp_parts[i].group);
            odim_table *table = sets_read(&set);
            double *scores = malloc((size_t)odim_table_rows(table) * sizeof *scores);
            if (!scores) bench_die(set.name, "out of memory");
            odim_params *params = exp_params(r, seed, NULL);
            set_result s = sets_detect(set.name, table, odim_table_labels(table), params, scores);
            exp_put(r, exp_parts[i].group, exp_parts[i].name, seed,
                    (double[]){s.auc, s.ap, s.wall, s.updates});
            odim_params_free(params);
            odim_table_free(table);
            free(scores);
        }
    }
}

static void report(const exp_run *r, FILE *page)
{
    tsv *paper = exp_paper("embeddings");
    fputs("\nThe paper's numbers are of the whole group: the mean over all classes of it.\n"
          "\n| group | part | AUC | paper's ODIM | its kNN | AP | paper's ODIM | its kNN |\n"
          "|:--|:--|--:|--:|--:|--:|--:|--:|\n",
          page);
    for (int i = 0; i < EXP_PARTS; i++) {
        double auc = cells_mean(r->cells, exp_parts[i].group, exp_parts[i].name, "auc", NULL);
        if (isnan(auc)) continue;
        const tsv_row *theirs = tsv_find(paper, exp_parts[i].group, NULL, NULL);
        fprintf(page, "| %s | %s | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", exp_parts[i].group,
                exp_parts[i].name, auc, tsv_value(paper, theirs, "auc"), tsv_value(paper, theirs, "auc knn"),
                cells_mean(r->cells, exp_parts[i].group, exp_parts[i].name, "ap", NULL),
                tsv_value(paper, theirs, "ap"), tsv_value(paper, theirs, "ap knn"));
    }
    tsv_free(paper);
}

const experiment exp_embeddings = {
    .name = "embeddings",
    .about = "Pictures and texts as embeddings (Tables 2, 3 and C.4 to C.7)",
    .columns = "auc ap seconds updates",
    .seeds = 1,
    .measure = measure,
    .report = report,
};
