/* odim completion: scripts for shells, and the candidates that they ask for. */
#include "completion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "flags.h"
#include "log.h"
#include "run.h"

/* ---- candidates ---------------------------------------------------------------------------------------- */

/* What the shell replaces: candidates begin with `typed`, and are printed after `before`, which the shell
 * takes for a part of the same word: "--preset=" or the first names of a list. */
typedef struct word {
    const char *before;
    int before_len;
    const char *typed;
} word;

static void offer(const word *w, const char *text, size_t len, const char *about)
{
    size_t typed = strlen(w->typed);
    if (len < typed || strncmp(text, w->typed, typed) != 0) return;
    printf("%.*s%.*s%s%s\n", w->before_len, w->before, (int)len, text, about ? "\t" : "", about ? about : "");
}

static void offer_commands(const word *w)
{
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        offer(w, (*verb)->name, strlen((*verb)->name), (*verb)->summary);
}

static void offer_choices(const word *w, const char *choices, size_t len)
{
    char list[128];
    const char *rest = list, *choice;
    snprintf(list, sizeof list, "%.*s", (int)len, choices);
    for (size_t n; (n = cli_flags_choice(&rest, &choice));) offer(w, choice, n, NULL);
}

static void offer_files(void)
{
    puts(":files");
}

/* The options themselves, short and long, with what takes them back. */
static void offer_flags(const word *w, const cli_verb *verb)
{
    cli_flags flags = {.verb = verb};
    char text[80];
    for (cli_flag flag; cli_flags_next(&flags, &flag);) {
        if (flag.letter) offer(w, text, (size_t)snprintf(text, sizeof text, "-%c", flag.letter), flag.help);
        offer(w, text, (size_t)snprintf(text, sizeof text, "--%s", flag.name), flag.help);
        if (flag.arg && cli_flags_deniable(&flag))
            offer(w, text, (size_t)snprintf(text, sizeof text, "--no-%s", flag.name), NULL);
        if (flag.also)
            offer(w, text, (size_t)snprintf(text, sizeof text, "--%s=%s", flag.name, flag.also), NULL);
    }
}

/* A name that needs no quotes in any shell. */
static bool is_plain(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_.-", *c) && !((unsigned char)*c & 0x80)) return false;
    return *name != '\0';
}

/* The columns of the first word that is a table, by its first lines. */
static void offer_columns(word w, int count, char **words)
{
    static char head[1 << 16];
    const char *comma = strrchr(w.typed, ',');
    if (comma && w.before_len == 0) w = (word){w.typed, (int)(comma - w.typed) + 1, comma + 1};
    for (int i = 1; i + 1 < count; i++) {
        odim_error err;
        odim_table *table;
        FILE *f = words[i][0] == '-' ? NULL : fopen(words[i], "rb");
        size_t size = f ? fread(head, 1, sizeof head, f) : 0;
        if (f) fclose(f);
        while (size > 0 && head[size - 1] != '\n') size--;
        if (!size || odim_table_read_memory(&table, head, size, words[i], NULL, &err)) continue;
        for (int64_t k = 0; k < odim_table_cols(table); k++) {
            const char *name = odim_table_name(table, k);
            if (is_plain(name)) offer(&w, name, strlen(name), NULL);
        }
        odim_table_free(table);
        return;
    }
}

static void offer_value(const word *w, const cli_flag *flag, int count, char **words)
{
    bool text =
        flag->option && (flag->option->kind == CLI_OPTION_TEXT || flag->option->kind == CLI_OPTION_CONFIG);
    if (strchr(flag->arg, '|'))
        offer_choices(w, flag->arg, strlen(flag->arg));
    else if (strncmp(flag->arg, "COL", 3) == 0)
        offer_columns(*w, count, words);
    else if (text)
        offer_files();
}

/* The operand is the first word of the usage line: "FILE", "[COMMAND]", "a|b"; an option: there is none. */
static void offer_operand(const word *w, const cli_verb *verb)
{
    const char *operand = verb->usage + (verb->usage[0] == '[');
    size_t len = strcspn(operand, " ]");
    if (strncmp(operand, "COMMAND", len) == 0)
        offer_commands(w);
    else if (memchr(operand, '|', len))
        offer_choices(w, operand, len);
    else if (isupper((unsigned char)*operand))
        offer_files();
}

/* The flag that a word names and that takes a value; len: of the word, without '=' and what follows it. */
static bool takes_value(const cli_verb *verb, const char *text, size_t len, cli_flag *flag)
{
    bool found = len > 2 && strncmp(text, "--", 2) == 0 ? cli_flags_find(verb, text + 2, len - 2, flag)
                 : len == 2 && text[0] == '-'           ? cli_flags_find_letter(verb, text[1], flag)
                                                        : false;
    return found && flag->arg;
}

static const cli_verb *find_verb(const char *name)
{
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        if (strcmp((*verb)->name, name) == 0) return *verb;
    return NULL;
}

int cli_completion_candidates(int count, char **words)
{
    const char *last = count ? words[count - 1] : "", *option = count > 2 ? words[count - 2] : "";
    word w = {"", 0, last};
    cli_flag flag;
    if (count < 2) {
        offer_commands(&w);
        offer(&w, "--help", 6, NULL);
        offer(&w, "--version", 9, NULL);
        return CLI_EXIT_OK;
    }
    const cli_verb *verb = find_verb(words[0]);
    if (!verb) return CLI_EXIT_OK;
    /* bash makes a word of its own of the '=' in --name=value; other shells leave it in. */
    if (strcmp(last, "=") == 0) w.typed = "";
    if (strcmp(option, "=") == 0 && count > 3) option = words[count - 3];
    size_t name = strcspn(last, "=");
    if (name > 0 && last[name] && takes_value(verb, last, name, &flag)) {
        w = (word){last, (int)name + 1, last + name + 1};
        offer_value(&w, &flag, count, words);
    } else if (*last == '-') {
        offer_flags(&w, verb);
    } else if (takes_value(verb, option, strlen(option), &flag)) {
        offer_value(&w, &flag, count, words);
    } else {
        offer_operand(&w, verb);
    }
    return CLI_EXIT_OK;
}

/* ---- scripts ------------------------------------------------------------------------------------------- */

static const char bash[] =
    "# Completion of odim in bash; 'odim __complete' finds the candidates.\n"
    "_odim()\n"
    "{\n"
    "    local line files=no\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        case $line in\n"
    "        :files) files=yes ;;\n"
    "        *) COMPREPLY+=(\"${line%%$'\\t'*}\") ;;\n"
    "        esac\n"
    "    done < <(\"${COMP_WORDS[0]}\" __complete \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
    "    # Where there are no candidates bash offers files, unless told otherwise.\n"
    "    [ $files = yes ] || compopt +o default 2>/dev/null\n"
    "}\n"
    "complete -o default -F _odim odim\n";

static const char zsh[] =
    "#compdef odim\n"
    "# Completion of odim in zsh; 'odim __complete' finds the candidates.\n"
    "_odim()\n"
    "{\n"
    "    local -a candidates\n"
    "    local line name files=no\n"
    "    while IFS= read -r line; do\n"
    "        name=${line%%$'\\t'*}\n"
    "        case $line in\n"
    "        :files) files=yes ;;\n"
    "        *$'\\t'*) candidates+=(\"${name//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
    "        *) candidates+=(\"${name//:/\\\\:}\") ;;\n"
    "        esac\n"
    "    done < <(\"$words[1]\" __complete \"${(@)words[2,CURRENT]}\" 2>/dev/null)\n"
    "    if [[ $files = yes ]]; then\n"
    "        compset -P '--*='\n"
    "        _files\n"
    "    else\n"
    "        _describe odim candidates\n"
    "    fi\n"
    "}\n"
    "# As a file of $fpath this is the function's body; otherwise it has been sourced.\n"
    "if [[ $funcstack[1] == _odim ]]; then\n"
    "    _odim \"$@\"\n"
    "else\n"
    "    compdef _odim odim\n"
    "fi\n";

static const char fish[] =
    "# Completion of odim in fish; 'odim __complete' finds the candidates.\n"
    "function __odim_candidates\n"
    "    set -l words (commandline -opc)\n"
    "    for line in ($words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)\n"
    "        if test \"$line\" = :files\n"
    "            __fish_complete_path (commandline -ct)\n"
    "        else\n"
    "            echo $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c odim -f -a '(__odim_candidates)'\n";

static int print_script(cli_run *run, void *none)
{
    static const struct {
        const char *name, *script;
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    (void)none;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(run->path, shells[i].name) != 0) continue;
        fputs(shells[i].script, stdout);
        return CLI_EXIT_OK;
    }
    cli_log("no completion for '%s'; choose bash, zsh or fish", run->path);
    return CLI_EXIT_USAGE;
}

static int run_completion(int argc, char **argv)
{
    return cli_run_verb(&cli_completion_verb, argc, argv, NULL, print_script);
}

const cli_verb cli_completion_verb = {
    .name = "completion",
    .summary = "print a completion script for a shell",
    .usage = "bash|zsh|fish",
    .examples = "  eval \"$(odim completion bash)\"               for this bash; or in ~/.bashrc\n"
                "  odim completion zsh > ~/.zfunc/_odim         a folder of $fpath\n"
                "  odim completion fish > ~/.config/fish/completions/odim.fish\n",
    .more = "'make install' puts the scripts where the shells look for them.\n",
    .needs = (const cli_need[]){{"", "the name of a shell: bash, zsh or fish"}, {NULL, NULL}},
    .run = run_completion,
};
