// Runs a program on a pseudo-terminal of 80 by 24 cells, as a person at a terminal would, and times
// it from outside. The last line that a command prints is `operations checksum` and its figures.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int terminal;
static pid_t child;

static void need(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "terminal-probe: %s: %s\n", what, strerror(errno));
  if (child > 0) kill(child, SIGKILL);
  exit(1);
}

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Starts a program as the leader of a session whose terminal is the pseudo-terminal.
static void start(char **words) {
  struct winsize size = {.ws_row = 24, .ws_col = 80};
  terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  need(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0, "no terminal");
  need(ioctl(terminal, TIOCSWINSZ, &size) == 0, "no size");
  child = fork();
  need(child >= 0, "no process");
  if (child == 0) {
    setsid();
    int end = open(ptsname(terminal), O_RDWR);
    if (end < 0 || ioctl(end, TIOCSCTTY, 0) < 0) _exit(126);
    dup2(end, 0);
    dup2(end, 1);
    dup2(end, 2);
    setenv("TERM", "xterm-256color", 1);
    execvp(words[0], words);
    _exit(127);
  }
}

// Reads until nothing comes for some milliseconds; returns when the last byte came, 0 for none.
static int64_t read_until_quiet(int milliseconds) {
  static char bytes[1 << 16];
  struct pollfd wait = {.fd = terminal, .events = POLLIN};
  int64_t last = 0;
  while (poll(&wait, 1, milliseconds) > 0) {
    if (read(terminal, bytes, sizeof bytes) <= 0) break;
    last = now();
  }
  return last;
}

// Waits until the program shows something, for which a commit or a long log may take it long, and
// then reads until nothing comes for some milliseconds; returns when the last byte came.
static int64_t read_screen(int milliseconds) {
  struct pollfd wait = {.fd = terminal, .events = POLLIN};
  need(poll(&wait, 1, 60000) > 0, "the program shows nothing");
  int64_t last = read_until_quiet(milliseconds);
  need(last > 0, "the program ended");
  return last;
}

static void write_all(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(terminal, bytes, count);
    need(written > 0, "a key cannot be written");
    bytes += written;
    count -= (size_t)written;
  }
}

static int by_size(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

// Ends the program as the end of its terminal does, and waits for it; returns its peak memory in
// bytes.
static int64_t end(void) {
  struct rusage usage = {0};
  close(terminal);
  for (int i = 0; i < 200; i++) {
    if (wait4(child, NULL, WNOHANG, &usage) > 0) return usage.ru_maxrss * INT64_C(1024);
    usleep(10000);
  }
  kill(child, SIGKILL);
  wait4(child, NULL, 0, &usage);
  return usage.ru_maxrss * INT64_C(1024);
}

// The bytes that end a key, and those that end the keys before which nothing is timed. Neither is
// part of a key.
enum { KEY_END = 0x1f, PREPARED = 0x1e };

// Presses each of some keys once. A key may show nothing new.
static void press_all(const char *keys, size_t count) {
  for (const char *last = keys + count; keys < last;) {
    const char *next = memchr(keys, KEY_END, (size_t)(last - keys));
    if (!next) next = last;
    write_all(keys, (size_t)(next - keys));
    read_until_quiet(200);
    keys = next + 1;
  }
}

// Starts a program, and presses the keys that prepare the others; returns the others.
static const char *prepare(const char *keys, char **program) {
  start(program);
  read_screen(1000);
  const char *rest = strchr(keys, PREPARED);
  if (!rest) return keys;
  press_all(keys, (size_t)(rest - keys));
  return rest + 1;
}

// `keys COUNT KEYS PROGRAM…`: presses keys in turn, once all that the one before it caused is
// shown. It prints the milliseconds that all would take if each took the median, from the write to
// the last byte read, and the 99th percentile.
static int keys(int count, const char *keys, char **program) {
  int64_t *times = calloc((size_t)count, sizeof *times);
  const char *first = prepare(keys, program), *key = first;
  for (int i = 0; i < count; i++) {
    const char *next = strchr(key, KEY_END);
    int64_t begin = now();
    write_all(key, next ? (size_t)(next - key) : strlen(key));
    times[i] = read_screen(60) - begin;
    key = next ? next + 1 : first;
  }
  end();
  qsort(times, (size_t)count, sizeof *times, by_size);
  int p99 = count * 99 / 100 < count ? count * 99 / 100 : count - 1;
  printf("%d 0 %f %f\n", count, (double)times[count / 2] * count / 1e6, (double)times[p99] / 1e6);
  return 0;
}

// The nanoseconds of processor time that all threads of the program have used, in clock ticks.
static int64_t used(void) {
  char path[64];
  int64_t nanoseconds = -1;
  snprintf(path, sizeof path, "/proc/%d/stat", child);
  FILE *file = fopen(path, "r");
  unsigned long user, system;
  if (file && fscanf(file,
          "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2)
    nanoseconds = (int64_t)(user + system) * 1000000000 / sysconf(_SC_CLK_TCK);
  if (file) fclose(file);
  need(nanoseconds >= 0, "the processor time is unknown");
  return nanoseconds;
}

// `idle SECONDS PROGRAM…`: lets the program stand, and prints its processor time in percent of the
// time that passed.
static int idle(int seconds, char **program) {
  start(program);
  read_screen(1000);
  int64_t before = used(), begin = now();
  while (now() - begin < (int64_t)seconds * 1000000000) read_until_quiet(500);
  printf("%d 0 %f\n", seconds, 100.0 * (double)(used() - before) / (double)(now() - begin));
  end();
  return 0;
}

// `first PROGRAM…`: prints the milliseconds from the start of a program to the last byte of the
// first screen that it shows.
static int first(char **program) {
  int64_t begin = now();
  start(program);
  int64_t last = read_screen(60);
  end();
  printf("1 0 %f\n", (double)(last - begin) / 1e6);
  return 0;
}

// `memory KEYS PROGRAM…`: presses keys once, and prints the peak memory of the program in bytes.
static int memory(const char *keys, char **program) {
  const char *rest = prepare(keys, program);
  press_all(rest, strlen(rest));
  printf("1 0 %" PRId64 "\n", end());
  return 0;
}

int main(int count, char **words) {
  if (count > 4 && !strcmp(words[1], "keys")) return keys(atoi(words[2]), words[3], words + 4);
  if (count > 2 && !strcmp(words[1], "first")) return first(words + 2);
  if (count > 3 && !strcmp(words[1], "memory")) return memory(words[2], words + 3);
  if (count > 3 && !strcmp(words[1], "idle")) return idle(atoi(words[2]), words + 3);
  fprintf(stderr, "terminal-probe: there is no such command\n");
  return 64;
}
