/* odim completion: scripts that teach a shell to complete odim's command line, made from the verbs' tables.
 */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "flags.h"
#include "log.h"

/* What can be offered for the value of a flag or for an operand. */
typedef enum offer { NOTHING, FILES, CHOICES, COMMANDS } offer;

static offer offer_value(const cli_flag *flag)
{
    if (!flag->arg) return NOTHING;
    if (strchr(flag->arg, '|')) return CHOICES;
    bool text =
        flag->option && (flag->option->kind == CLI_OPTION_TEXT || flag->option->kind == CLI_OPTION_CONFIG);
    return text ? FILES : NOTHING;
}

/* The operand is the first word of the usage line: "FILE", "[COMMAND]", "a|b"; its length is *len. Where that
 * is an option already there is no operand. */
static offer offer_operand(const cli_verb *verb, const char **word, int *len)
{
    bool none = verb->usage[0] == '-';
    *word = none ? "nothing" : verb->usage + (verb->usage[0] == '[');
    *len = (int)strcspn(*word, " ]");
    if (none) return NOTHING;
    if (strncmp(*word, "COMMAND", (size_t)*len) == 0) return COMMANDS;
    return memchr(*word, '|', (size_t)*len) ? CHOICES : FILES;
}

static void put_commands(void)
{
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        printf("%s%s", verb == cli_verbs ? "" : " ", (*verb)->name);
}

static void put_choices(const char *choices, int len)
{
    for (int i = 0; i < len; i++) putchar(choices[i] == '|' ? ' ' : choices[i]);
}

/* Of what is offered, the part that is a list of words. */
static void put_words(offer what, const char *choices, int len)
{
    if (what == COMMANDS) put_commands();
    if (what == CHOICES) put_choices(choices, len);
}

/* A text inside single quotes: `quote` stands for such a quote, and a backslash goes before what is special.
 */
static void put_quoted(const char *text, const char *quote, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs(quote, stdout);
        else
            printf(strchr(special, *text) ? "\\%c" : "%c", *text);
    }
}

/* ---- bash ---------------------------------------------------------------------------------------------- */

static void put_bash_flags(const cli_verb *verb)
{
    cli_flags flags = {.verb = verb};
    const char *before = "";
    for (cli_flag flag; cli_flags_next(&flags, &flag); before = " ") {
        if (flag.letter) printf("%s-%c", before, flag.letter), before = " ";
        printf("%s--%s", before, flag.name);
        if (flag.arg && cli_flags_deniable(&flag)) printf(" --no-%s", flag.name);
        if (flag.also) printf(" --%s=%s", flag.name, flag.also);
    }
}

/* What is offered after each flag. Files are what bash offers by itself. */
static void put_bash_values(const cli_verb *verb)
{
    cli_flags flags = {.verb = verb};
    for (cli_flag flag; cli_flags_next(&flags, &flag);) {
        offer what = offer_value(&flag);
        if (!flag.arg || what == FILES) continue;
        printf("        '%s --%s'", verb->name, flag.name);
        if (flag.letter) printf(" | '%s -%c'", verb->name, flag.letter);
        fputs(what == CHOICES ? ") words='" : ") files=no", stdout);
        put_words(what, flag.arg, (int)strlen(flag.arg));
        puts(what == CHOICES ? "' ;;" : " ;;");
    }
}

static void put_bash_operand(const cli_verb *verb)
{
    const char *word;
    int len;
    offer what = offer_operand(verb, &word, &len);
    if (what == FILES || what == NOTHING) return;
    printf("        '%s '*) words='", verb->name);
    put_words(what, word, len);
    puts("' ;;");
}

static void put_bash(void)
{
    fputs("# Completion of odim in bash, made by 'odim completion bash'.\n"
          "_odim()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} words='' files=yes\n"
          "    # Of --name=value the '=' is a word of its own.\n"
          "    if [ \"$cur\" = = ]; then\n"
          "        cur=\n"
          "    elif [ \"$option\" = = ]; then\n"
          "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        words='",
          stdout);
    put_commands();
    fputs(" --help --version'\n"
          "    elif [ \"${cur#-}\" != \"$cur\" ]; then\n"
          "        case ${COMP_WORDS[1]} in\n",
          stdout);
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) {
        printf("        %s) words='", (*verb)->name);
        put_bash_flags(*verb);
        puts("' ;;");
    }
    fputs("        esac\n"
          "    else\n"
          "        case \"${COMP_WORDS[1]} $option\" in\n",
          stdout);
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) put_bash_values(*verb);
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) put_bash_operand(*verb);
    fputs("        esac\n"
          "    fi\n"
          "    # Without words bash completes names of files.\n"
          "    [ \"$files\" = yes ] || compopt +o default 2>/dev/null\n"
          "    # shellcheck disable=SC2207 # no blanks in the words\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "}\n"
          "complete -o default -F _odim odim\n",
          stdout);
}

/* ---- zsh ----------------------------------------------------------------------------------------------- */

static void put_zsh_text(const char *text)
{
    put_quoted(text, "'\\''", "[]:\\");
}

/* What is offered, as an action of _arguments. */
static void put_zsh_action(offer what, const char *choices, int len)
{
    if (what == FILES) fputs("_files", stdout);
    if (what == NOTHING) putchar(' ');
    if (what == FILES || what == NOTHING) return;
    putchar('(');
    put_words(what, choices, len);
    putchar(')');
}

/* The ways to write the flag, and that it comes once unless it is a list. */
static void put_zsh_names(const cli_flag *flag)
{
    bool again = flag->option && flag->option->kind == CLI_OPTION_LIST;
    const char *equals = flag->arg ? "=" : flag->also ? "=-" : "", *plus = flag->arg ? "+" : "";
    if (!flag->letter) {
        printf("'%s--%s%s", again ? "*" : "", flag->name, equals);
        return;
    }
    if (again)
        fputs("'*'", stdout);
    else
        printf("'(-%c --%s)'", flag->letter, flag->name);
    printf("{-%c%s,--%s%s}'", flag->letter, plus, flag->name, equals);
}

static void put_zsh_flag(const cli_flag *flag)
{
    bool optional = flag->arg && cli_flags_deniable(flag);
    fputs("            ", stdout);
    put_zsh_names(flag);
    putchar('[');
    put_zsh_text(flag->help);
    putchar(']');
    if (flag->arg) {
        fputs(optional ? "::" : ":", stdout);
        put_zsh_text(flag->arg);
        putchar(':');
        put_zsh_action(offer_value(flag), flag->arg, (int)strlen(flag->arg));
    }
    if (flag->also) printf("::%s:(%s)", flag->also, flag->also);
    puts("' \\");
    if (optional) printf("            '--no-%s[not --%s]' \\\n", flag->name, flag->name);
}

static void put_zsh_verb(const cli_verb *verb)
{
    const char *word;
    int len;
    printf("    %s)\n        _arguments -S \\\n", verb->name);
    cli_flags flags = {.verb = verb};
    for (cli_flag flag; cli_flags_next(&flags, &flag);) put_zsh_flag(&flag);
    offer what = offer_operand(verb, &word, &len);
    printf("            '1:%.*s:", len, word);
    put_zsh_action(what, word, len);
    puts("'\n        ;;");
}

static void put_zsh(void)
{
    fputs("#compdef odim\n"
          "# Completion of odim in zsh, made by 'odim completion zsh'.\n"
          "_odim()\n"
          "{\n"
          "    local -a commands\n"
          "    commands=(\n",
          stdout);
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) {
        printf("        '%s:", (*verb)->name);
        put_zsh_text((*verb)->summary);
        puts("'");
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        [[ $PREFIX != -* ]] || compadd -- --help --version\n"
          "        return\n"
          "    fi\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $words[1] in\n",
          stdout);
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) put_zsh_verb(*verb);
    fputs("    esac\n"
          "}\n"
          "# As a file of $fpath this is the function's body; otherwise it has been sourced.\n"
          "if [[ $funcstack[1] == _odim ]]; then\n"
          "    _odim \"$@\"\n"
          "else\n"
          "    compdef _odim odim\n"
          "fi\n",
          stdout);
}

/* ---- fish ---------------------------------------------------------------------------------------------- */

static void put_fish_text(const char *text)
{
    put_quoted(text, "\\'", "\\");
}

static void put_fish_flag(const cli_verb *verb, const cli_flag *flag)
{
    offer what = offer_value(flag);
    printf("complete -c odim -n '__fish_seen_subcommand_from %s'", verb->name);
    if (flag->letter) printf(" -s %c", flag->letter);
    printf(" -l %s", flag->name);
    if (flag->arg) fputs(what == FILES ? " -r" : " -x", stdout);
    if (what == CHOICES) {
        fputs(" -a '", stdout);
        put_choices(flag->arg, (int)strlen(flag->arg));
        putchar('\'');
    }
    if (flag->also) printf(" -a '%s'", flag->also);
    fputs(" -d '", stdout);
    put_fish_text(flag->help);
    puts("'");
    if (flag->arg && cli_flags_deniable(flag))
        printf("complete -c odim -n '__fish_seen_subcommand_from %s' -l no-%s -d 'not --%s'\n", verb->name,
               flag->name, flag->name);
}

static void put_fish_verb(const cli_verb *verb)
{
    const char *word;
    int len;
    offer what = offer_operand(verb, &word, &len);
    if (what != FILES) {
        printf("complete -c odim -n '__fish_seen_subcommand_from %s' -f -a '", verb->name);
        put_words(what, word, len);
        puts("'");
    }
    cli_flags flags = {.verb = verb};
    for (cli_flag flag; cli_flags_next(&flags, &flag);) put_fish_flag(verb, &flag);
}

static void put_fish(void)
{
    fputs("# Completion of odim in fish, made by 'odim completion fish'.\n"
          "complete -c odim -n __fish_use_subcommand -f -s h -l help -d 'show the commands'\n"
          "complete -c odim -n __fish_use_subcommand -f -s V -l version -d 'show the version'\n",
          stdout);
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) {
        printf("complete -c odim -n __fish_use_subcommand -f -a %s -d '", (*verb)->name);
        put_fish_text((*verb)->summary);
        puts("'");
    }
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) put_fish_verb(*verb);
}

/* ---- the verb ------------------------------------------------------------------------------------------ */

static int run(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*put)(void);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    const char *shell;
    int code = cli_args_parse(&cli_completion_verb, argc, argv, NULL, NULL, &shell);
    if (code >= 0) return code;
    for (size_t i = 0; shell && i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shell, shells[i].name) != 0) continue;
        shells[i].put();
        return CLI_EXIT_OK;
    }
    if (shell)
        cli_log("there is no completion for '%s'; there is for bash, zsh and fish", shell);
    else
        cli_log("completion needs the name of a shell: bash, zsh or fish");
    return CLI_EXIT_USAGE;
}

const cli_verb cli_completion_verb = {
    .name = "completion",
    .summary = "print a script that completes commands and options in a shell",
    .usage = "bash|zsh|fish",
    .examples = "  eval \"$(odim completion bash)\"               for this bash; or in ~/.bashrc\n"
                "  odim completion zsh > ~/.zfunc/_odim         a folder of $fpath\n"
                "  odim completion fish > ~/.config/fish/completions/odim.fish\n",
    .more = "'make install' puts the scripts where the shells look for them.\n",
    .run = run,
};
