/*
 * embed NAME FILE...: writes C source to standard output that holds the files, one after the other, as one
 * string, NAME. A part of the build: what the program writes into a page is kept in files of its own
 * language.
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    printf("extern const char %s[];\nconst char %s[] = {", argv[1], argv[1]);
    int count = 0;
    for (int i = 2; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (!f) {
            perror(argv[i]);
            return 1;
        }
        for (int c; (c = getc(f)) != EOF; count++)
            printf("%s%d,", count % 24 ? "" : "\n    ", c > 127 ? c - 256 : c);
        if (ferror(f) || fclose(f)) {
            perror(argv[i]);
            return 1;
        }
    }
    printf("0};\n");
    return fflush(stdout) || ferror(stdout);
}
