/* tests: neighbors kdtree dedup knn. Against all distances, sorted. */
#include "detectors.h"

#include "detectors/dedup.h"
#include "detectors/kdtree.h"
#include "detectors/neighbors.h"

TEST(copies_by_hand)
{
    const float x[] = {1, 2, 0, 5, 1, 2, -0.0f, 5, 1, 3, 1, 2};
    int32_t first[6], copies[6];
    int64_t distinct;
    REQUIRE(od_dedup_count(x, 6, 2, first, copies, &distinct, NULL) == ODIM_OK);
    CHECK_INT(distinct, 3);
    CHECK(first[0] == 0 && first[1] == 1 && first[2] == 4);
    CHECK(copies[0] == 3 && copies[1] == 2 && copies[2] == 1);
}

/* ---- the tree ------------------------------------------------------------------------------------------ */

typedef struct tree {
    const float *x, *box;
    const int32_t *order;
    int64_t d, m, nodes;
} tree;

/* Each row lies in the boxes of its nodes, and boxes are no larger than they must be. */
static void check_node(tree *t, int64_t node, int64_t lo, int64_t hi)
{
    int64_t width = od_box_width(t->d), end = hi * OD_BLOCK < t->m ? hi * OD_BLOCK : t->m;
    const float *least = t->box + node * 2 * width, *most = least + width;
    for (int64_t j = 0; j < t->d; j++) {
        float low = INFINITY, high = -INFINITY;
        for (int64_t i = lo * OD_BLOCK; i < end; i++) {
            low = fminf(low, t->x[t->order[i] * t->d + j]);
            high = fmaxf(high, t->x[t->order[i] * t->d + j]);
        }
        CHECK(low == least[j] && high == most[j]);
    }
    for (int64_t j = t->d; j < width; j++) CHECK(least[j] == 0 && most[j] == 0);
    t->nodes++;
    if (hi - lo == 1) return;
    int64_t middle = od_middle(lo, hi), right = od_right(node, lo, hi);
    check_node(t, od_left(node), lo, middle);
    CHECK(right == t->nodes); /* numbered in the order in which they are met */
    check_node(t, right, middle, hi);
}

static void check_tree(int64_t m, int64_t d, float step)
{
    float *x = normal_rows(m, d, 3), *box;
    for (int64_t i = 0; step > 0 && i < m * d; i++) x[i] = floorf(x[i] / step) * step;
    int32_t *order = od_alloc((size_t)m, sizeof *order);
    int64_t nodes = 2 * od_blocks(m) - 1;
    box = od_calloc((size_t)(nodes * 2 * od_box_width(d)), sizeof *box);
    for (int64_t i = 0; i < m; i++) order[i] = (int32_t)i;
    CHECK(od_kdtree_build(x, d, order, m, box, NULL) == ODIM_OK);
    tree t = {x, box, order, d, m, 0};
    check_node(&t, 0, 0, od_blocks(m));
    CHECK_INT(t.nodes, nodes);
    double sum = 0;
    for (int64_t i = 0; i < m; i++) sum += order[i];
    CHECK_NEAR(sum, (double)(m - 1) * (double)m / 2, 0);
    od_free(x), od_free(box), od_free(order);
}

TEST(tree_has_its_rows_in_boxes)
{
    static const int64_t sizes[] = {1, 2, 23, 24, 25, 48, 49, 71, 300, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int64_t d = 1; d <= 9; d += 4) check_tree(sizes[i], d, 0), check_tree(sizes[i], d, 1);
}

/* The two halves of a line: the lower 24 rows in the left leaf. */
TEST(tree_by_hand)
{
    float x[48], box[3 * 2 * 4];
    int32_t order[48];
    for (int i = 0; i < 48; i++) x[i] = (float)(i * 29 % 48), order[i] = i;
    REQUIRE(od_kdtree_build(x, 1, order, 48, box, NULL) == ODIM_OK);
    for (int i = 0; i < 48; i++) CHECK((x[order[i]] < 24) == (i < 24));
    CHECK(box[0] == 0 && box[4] == 47);
    CHECK(box[8] == 0 && box[12] == 23 && box[16] == 24 && box[20] == 47);
}

/* ---- the search ---------------------------------------------------------------------------------------- */

typedef struct all {
    double square;
    int64_t row;
} all;

static int by_distance(const void *a, const void *b)
{
    const all *x = a, *y = b;
    if (x->square != y->square) return x->square < y->square ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* All distances to the training rows, of which one that is 0 is left out. The number of rows is returned. */
static int64_t sorted(const od_detector_task *t, const float *x, all *list)
{
    int64_t count = 0, own = 0;
    for (int64_t i = 0; i < t->n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < t->d; j++) {
            double apart = (double)x[j] - (double)t->x[i * t->d + j];
            sum += apart * apart;
        }
        if (sum == 0 && own++ == 0) continue;
        list[count++] = (all){sum, i};
    }
    qsort(list, (size_t)count, sizeof *list, by_distance);
    return count;
}

static const float *row_of(const od_detector *c, const od_detector_task *t, int64_t kept)
{
    return t->x + c->part[OD_NEIGHBORS_FIRST].at.i[kept] * t->d;
}

static void check_lists(const od_detector_task *t, od_guide guide, const float *x, int64_t rows)
{
    od_detector c = {.method = OD_METHOD_KNN, .d = t->d};
    REQUIRE(od_neighbors_fit(&c, t, guide, NULL) == ODIM_OK);
    CHECK(od_neighbors_check(&c, NULL) == ODIM_OK);
    int64_t k = c.count[OD_NEIGHBORS_K], found[OD_DETECTOR_ROWS];
    CHECK_INT(k, t->neighbors < t->n - 1 ? t->neighbors : t->n - 1);
    all *want = od_alloc((size_t)t->n, sizeof *want);
    void *scratch = od_alloc(1, od_neighbors_scratch(&c));
    const od_neighbor *list = od_neighbors_find(&c, x, rows, scratch, found);
    for (int64_t i = 0; i < rows; i++, list += k + 1) {
        int64_t count = sorted(t, x + i * t->d, want), at = 0;
        CHECK(count >= k);
        for (int64_t l = 0; l < found[i]; l++) {
            CHECK(l == 0 || list[l - 1].square <= list[l].square);
            for (int32_t copy = 0; copy < list[l].copies; copy++, at++) {
                REQUIRE(at < k);
                CHECK_NEAR(list[l].square, want[at].square, 1e-12 * want[at].square);
            }
            if (at == 0) continue;
            double apart = 0;
            for (int64_t j = 0; j < t->d; j++) {
                double one = (double)x[i * t->d + j] - (double)row_of(&c, t, list[l].row)[j];
                apart += one * one;
            }
            CHECK_NEAR(list[l].square, apart, 1e-12 * apart);
        }
        CHECK_INT(at, k);
    }
    od_free(want), od_free(scratch);
    od_detector_free(&c);
}

/* What the rows are: scattered; on a grid with many copies and ties; near each other and far from 0; huge. */
static void check_search(int64_t n, int64_t d, int64_t k, int kind)
{
    enum { NEW = 20, OLD = 40 };
    float *x = normal_rows(n + NEW, d, (uint32_t)(n + d)),
          *ask = od_alloc((OLD + NEW) * (size_t)d, sizeof *ask);
    for (int64_t i = 0; i < (n + NEW) * d; i++) {
        if (kind == 1) x[i] = roundf(x[i]);
        if (kind == 2) x[i] = 1000 + x[i] / 100;
        if (kind == 3) x[i] *= 1e19f;
        if (kind == 4) x[i] *= 1e-23f;
        if (kind == 5) x[i] *= 1e37f;
    }
    int64_t old = n < OLD ? n : OLD;
    memcpy(ask, x, (size_t)(old * d) * sizeof *ask);
    memcpy(ask + old * d, x + n * d, (size_t)(NEW * d) * sizeof *ask);
    od_detector_task task = {.x = x, .n = n, .d = d, .neighbors = k, .threads = 1};
    for (od_guide guide = OD_GUIDE_CHOOSE; guide <= OD_GUIDE_PRODUCTS; guide++)
        check_lists(&task, guide, ask, old + NEW);
    od_free(x), od_free(ask);
}

TEST(finds_what_sorting_finds)
{
    for (int kind = 0; kind <= 5; kind++) {
        check_search(2, 1, 1, kind);
        check_search(7, 2, 20, kind);
        check_search(300, 1, 3, kind);
        check_search(500, 3, 10, kind);
        check_search(1000, 6, 1, kind);
        check_search(400, 33, 10, kind);
        check_search(100, 5, 99, kind);
    }
}

/* Rows at the same distance: the earlier one, whichever the way. */
TEST(ties_go_by_row)
{
    enum { N = 200 };
    float *x = od_alloc(N * 2, sizeof *x);
    for (int i = 0; i < N; i++) { /* on a circle of exact radius 5 */
        static const float circle[12][2] = {{3, 4},  {4, 3},  {5, 0},  {0, 5},  {-3, 4},  {-4, 3},
                                            {-5, 0}, {0, -5}, {3, -4}, {4, -3}, {-3, -4}, {-4, -3}};
        x[2 * i] = i < 12 ? circle[i * 7 % 12][0] : 100 + (float)i;
        x[2 * i + 1] = i < 12 ? circle[i * 7 % 12][1] : 100;
    }
    od_detector_task task = {.x = x, .n = N, .d = 2, .neighbors = 5, .threads = 1};
    for (od_guide guide = OD_GUIDE_TREE; guide <= OD_GUIDE_PRODUCTS; guide++) {
        od_detector c = {.method = OD_METHOD_KNN, .d = 2};
        REQUIRE(od_neighbors_fit(&c, &task, guide, NULL) == ODIM_OK);
        void *scratch = od_alloc(1, od_neighbors_scratch(&c));
        int64_t found;
        const float middle[] = {0, 0};
        const od_neighbor *list = od_neighbors_find(&c, middle, 1, scratch, &found);
        CHECK_INT(found, 5);
        for (int i = 0; i < 5; i++) CHECK_INT(c.part[OD_NEIGHBORS_FIRST].at.i[list[i].row], i);
        od_free(scratch);
        od_detector_free(&c);
    }
    od_free(x);
}

/* A tree where few blocks matter, products where many do. */
TEST(the_way_is_chosen)
{
    static const struct {
        int64_t n, d, tree;
    } cases[] = {{20000, 2, 1}, {5000, 30, 0}, {100, 2, 0}};
    for (int i = 0; i < 3; i++) {
        float *x = normal_rows(cases[i].n, cases[i].d, 1);
        od_detector_task task = {.x = x, .n = cases[i].n, .d = cases[i].d, .neighbors = 5, .threads = 1};
        od_detector c = fitted(OD_METHOD_KNN, &task);
        CHECK_INT(c.count[OD_NEIGHBORS_TREE], cases[i].tree);
        od_detector_free(&c);
        od_free(x);
    }
}

/* ---- knn ----------------------------------------------------------------------------------------------- */

/* On a line: 0, 1, 3, 7, 7. */
TEST(distances_by_hand)
{
    const float x[] = {0, 1, 3, 7, 7}, new[] = {2, 7.5f};
    static const double first[] = {1, 1, 2, 0, 0}, second[] = {3, 2, 3, 4, 4};
    for (int k = 1; k <= 2; k++) {
        od_detector_task task = {.x = x, .n = 5, .d = 1, .neighbors = k, .threads = 1};
        double *own = scores_of(OD_METHOD_KNN, &task, x, 5), *other = scores_of(OD_METHOD_KNN, &task, new, 2);
        for (int i = 0; i < 5; i++) CHECK_NEAR(own[i], (k == 1 ? first : second)[i], 1e-12);
        CHECK_NEAR(other[0], 1, 1e-12);
        CHECK_NEAR(other[1], 0.5, 1e-12);
        od_free(own), od_free(other);
    }
}

static od_detector_task damage_task(float **x, int64_t n, int64_t d)
{
    *x = normal_rows(n, d, 5);
    for (int64_t i = 0; i < 3 * d; i++) (*x)[(n - 3) * d + i] = (*x)[i]; /* some copies */
    return (od_detector_task){.x = *x, .n = n, .d = d, .neighbors = 4, .threads = 2};
}

TEST(any_number_of_threads)
{
    float *x;
    od_detector_task task = damage_task(&x, 500, 3);
    check_threads(OD_METHOD_KNN, task);
    od_free(x);
}

TEST(memory_runs_out)
{
    float *x;
    od_detector_task task = damage_task(&x, 60, 3);
    check_allocations(OD_METHOD_KNN, &task);
    od_free(x);
}

TEST(damaged_files)
{
    float *x;
    od_detector_task task = damage_task(&x, 4000, 2); /* a tree */
    check_damage(OD_METHOD_KNN, &task);
    od_free(x);
    task = damage_task(&x, 60, 5); /* products */
    check_damage(OD_METHOD_KNN, &task);
    od_detector c = fitted(OD_METHOD_KNN, &task);
    int32_t *copies = c.part[OD_NEIGHBORS_COPIES].at.i;
    for (int v = -1; v <= 0; v++) {
        copies[3] = v;
        CHECK(refused(&c));
    }
    copies[3] = INT32_MAX;
    CHECK(refused(&c));
    copies[3] = 1;
    c.count[OD_NEIGHBORS_K] = task.n;
    CHECK(refused(&c));
    c.count[OD_NEIGHBORS_K] = 4;
    /* rows that are equal, though each is to be there once: one is left out, and no more */
    for (int64_t i = 0; i < c.part[OD_NEIGHBORS_ROWS].count; i++) c.part[OD_NEIGHBORS_ROWS].at.f[i] = 1;
    const float one[] = {1, 1, 1, 1, 1};
    double score;
    CHECK(!refused(&c));
    score_all(&c, one, 1, &score);
    CHECK(score == 0);
    od_detector_free(&c);
    od_free(x);
}

TEST(odd_tables)
{
    check_odd_tables(OD_METHOD_KNN);
}

/* 3-4-5: nine twenty-fifths of the square are the first column's. */
TEST(shares_by_hand)
{
    const float x[] = {0, 0, 3, 4};
    double part[] = {0, 1};
    od_detector_task task = {.x = x, .n = 2, .d = 2, .neighbors = 1, .threads = 1};
    od_detector c = fitted(OD_METHOD_KNN, &task);
    void *scratch = od_alloc(1, od_neighbors_scratch(&c));
    CHECK_NEAR(od_detector_kind_of(OD_METHOD_KNN)->attribute(&c, x, scratch, 2, part), 5, 1e-12);
    CHECK_NEAR(part[0], 2 * 9 / 5.0, 1e-12);
    CHECK_NEAR(part[1], 2 * 16 / 5.0 + 1, 1e-12);
    od_free(scratch);
    od_detector_free(&c);
    float *many;
    task = damage_task(&many, 300, 4);
    check_account(OD_METHOD_KNN, &task);
    od_free(many);
}

int main(void)
{
    RUN(copies_by_hand);
    RUN(tree_has_its_rows_in_boxes);
    RUN(tree_by_hand);
    RUN(finds_what_sorting_finds);
    RUN(ties_go_by_row);
    RUN(the_way_is_chosen);
    RUN(distances_by_hand);
    RUN(any_number_of_threads);
    RUN(memory_runs_out);
    RUN(damaged_files);
    RUN(odd_tables);
    RUN(shares_by_hand);
    return test_end();
}
