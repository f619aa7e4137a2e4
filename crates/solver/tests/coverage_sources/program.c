/* A program with a function for each letter of its input. `HIT` marks an edge in builds for AFL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define KEEP __attribute__((noinline, used))
#ifdef AFL
#include <signal.h>
#include <sys/shm.h>
#include <sys/wait.h>
#ifndef EDGES
#define EDGES 65536
#endif
static unsigned char small[EDGES], *map = small;
static unsigned before;
#define HIT(here) (map[((here) ^ before) % EDGES]++, before = (here) >> 1)

static int send_word(unsigned word) { return write(199, &word, 4) == 4; }

static unsigned receive_word(void) {
    unsigned word;
    if (read(198, &word, 4) != 4) _exit(1);
    return word;
}

/* Like the runtime of AFL: attaches the map, performs the handshake, and forks a child on request. Continues if there is no runner. */
__attribute__((constructor)) static void attach(void) {
    const char *id = getenv("__AFL_SHM_ID");
    if (id) map = shmat(atoi(id), 0, 0);
#if AFL == 1 /* The original AFL. */
    if (!send_word(0)) return;
#elif AFL == 2 /* AFL++ before 4.20: options as bits. It offers shared memory for the input; a first word that is not a reply is a request. */
    if (!send_word(0xc1000001u | (EDGES - 1) << 1)) return;
#elif AFL == 3 /* AFL++ from 4.20 on: a version, a reply, then options, here with a dictionary of three bytes. */
    unsigned version = 0x41464c01;
    if (!send_word(version)) return;
    if (receive_word() != ~version) _exit(1);
    send_word(0x801), send_word(EDGES), send_word(3), write(199, "abc", 3), send_word(version);
#else /* A build that writes to the map without a fork server. */
    return;
#endif
    for (;;) {
        int status;
        receive_word();
        pid_t child = fork();
        if (child < 0) _exit(1);
        if (!child) {
            close(198), close(199);
            return;
        }
        send_word(child);
        if (waitpid(child, &status, 0) < 0) _exit(1);
        send_word(status);
    }
}
#else
#define HIT(here) (void)0
#endif
KEEP int piece_a(int x) { HIT(100); return x + 1; }
KEEP int piece_b(int x) { HIT(200); return x > 100 ? x : piece_a(x) * 2; }
KEEP int piece_c(int x) { HIT(300); return x - 3; }
KEEP int piece_never(int x) { HIT(400); return x * 7; }
int main(int argc, char **argv) {
    FILE *file = fopen(argv[argc - 1], "r");
    int c, x = 1, left = access("left", F_OK) == 0;
    HIT(1);
    while ((c = fgetc(file)) != EOF) {
        if (c == 'a') x = piece_a(x);
        if (c == 'b') x = piece_b(x);
        if (c == 'c') x = piece_c(x);
        if (c == 'n' && x == -12345) x = piece_never(x);
        /* Misbehaviour: a crash, a hang, endless output, endless memory, a process that stays. */
        if (c == 'C') abort();
        if (c == 'H') for (;;) pause();
        if (c == 'P') for (;;) puts("sat");
        if (c == 'M') for (size_t i = 0;; i++) memset(malloc(1 << 20), (int)i, 1 << 20);
        if (c == 'F' && fork() == 0) { setsid(); sleep(600); }
        if (c == 'W') fclose(fopen("left", "w"));
    }
    puts(left ? "unsat" : "sat");
    return argc > 2 && !strcmp(argv[1], "-fail") ? 3 : 0;
}
