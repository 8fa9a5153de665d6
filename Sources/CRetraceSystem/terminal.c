#define _GNU_SOURCE
#include "CRetraceTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <ucontext.h>
#include <unistd.h>

// Nothing here is freed or moved: a handler on another thread may read it at any time.

// What leaving and entering need.
struct shape {
  struct termios original;
  struct termios raw;
  int is_for_lines;
  size_t prologue_count;
  size_t epilogue_count;
  uint8_t prologue[retrace_terminal_bytes_max];
  uint8_t epilogue[retrace_terminal_bytes_max];
};

enum state {
  // No terminal is entered.
  state_none,
  state_entered,
  // The process stops, or was stopped; it enters the terminal again.
  state_away,
  // The process ends; it never enters the terminal again.
  state_ending,
};

enum { lock_wait_milliseconds = 1000, output_wait_milliseconds = 200 };
enum { signal_stack_bytes = 64 << 10 };

// Two, so that a handler that interrupts a change reads the other one whole.
static struct shape shapes[2];
static _Atomic int shape_number;
static int input_descriptor;
static int output_descriptor;

static _Atomic int is_claimed;
static _Atomic int state;
static _Atomic uint32_t generation;
// The thread that changes the terminal or writes to it; 0 for none.
static _Atomic pid_t holder;

// The standard error, and what is written to it while the terminal is entered; -1 if it is another
// file than the terminal.
static int error_descriptor = -1;
static int messages_descriptor = -1;
static off_t messages_shown;

static _Atomic int events_descriptor = -1;
static _Atomic unsigned events;

static struct sigaction previous[NSIG];
static struct sigaction previous_resize;

// MARK: Events

static void post(unsigned event) {
  atomic_fetch_or(&events, event);
  uint64_t one = 1;
  if (write(atomic_load(&events_descriptor), &one, sizeof one) < 0) return;
}

unsigned retrace_terminal_next_event(void) {
  uint64_t count;
  if (read(atomic_load(&events_descriptor), &count, sizeof count) < 0 && errno != EAGAIN) return 0;
  unsigned all = atomic_exchange(&events, 0);
  unsigned first = all & -all;
  if (all != first) post(all ^ first);
  return first;
}

void retrace_terminal_wake(void) { post(retrace_terminal_woken); }

int retrace_terminal_events_made(void) { return atomic_load(&events_descriptor); }

// Calls the function that handled a signal before, if there was one.
static void call(const struct sigaction *action, int number, siginfo_t *info, void *context) {
  if (action->sa_flags & SA_SIGINFO) {
    action->sa_sigaction(number, info, context);
  } else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
    action->sa_handler(number);
  }
}

static void on_resize(int number, siginfo_t *info, void *context) {
  int saved = errno;
  post(retrace_terminal_resized);
  call(&previous_resize, number, info, context);
  errno = saved;
}

int retrace_terminal_events(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  int descriptor = atomic_load(&events_descriptor);
  if (descriptor < 0) {
    descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    atomic_store(&events_descriptor, descriptor);
    if (descriptor >= 0) {
      struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
      action.sa_sigaction = on_resize;
      sigaction(SIGWINCH, NULL, &previous_resize);
      sigaction(SIGWINCH, &action, NULL);
    }
  }
  pthread_mutex_unlock(&mutex);
  return descriptor;
}

// MARK: The lock, which handlers take too

// Takes the lock. Returns 0 without it: if a handler interrupted the thread that has it, or if
// another thread had it for too long, such as in a write to a terminal that takes no bytes.
static int take(void) {
  pid_t me = gettid();
  for (int waits = 0; waits < lock_wait_milliseconds; waits++) {
    pid_t found = 0;
    if (atomic_compare_exchange_strong(&holder, &found, me)) return 1;
    if (found == me) return 0;
    poll(NULL, 0, 1);
  }
  return 0;
}

static void give_back(int taken) {
  if (taken) atomic_store(&holder, 0);
}

// Keeps handlers from interrupting this thread, but the handlers of crashes, which come from the
// thread itself. SIGTTOU still stops the process, as it has to in the background.
static void block_handlers(sigset_t *mask) {
  sigset_t blocked;
  sigfillset(&blocked);
  const int open[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGTTOU};
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) sigdelset(&blocked, open[i]);
  pthread_sigmask(SIG_BLOCK, &blocked, mask);
}

static void unblock_handlers(const sigset_t *mask) { pthread_sigmask(SIG_SETMASK, mask, NULL); }

static const struct shape *current_shape(void) { return &shapes[atomic_load(&shape_number)]; }

// Returns a copy of the current shape, which publish_shape makes the current one.
static struct shape *next_shape(void) {
  int number = atomic_load(&shape_number);
  shapes[1 - number] = shapes[number];
  return &shapes[1 - number];
}

static void publish_shape(void) { atomic_store(&shape_number, 1 - atomic_load(&shape_number)); }

static int set_bytes(struct shape *shape, struct retrace_bytes prologue,
                     struct retrace_bytes epilogue) {
  if (prologue.count > retrace_terminal_bytes_max || epilogue.count > retrace_terminal_bytes_max) {
    return E2BIG;
  }
  if (prologue.count > 0) memcpy(shape->prologue, prologue.start, prologue.count);
  if (epilogue.count > 0) memcpy(shape->epilogue, epilogue.start, epilogue.count);
  shape->prologue_count = prologue.count;
  shape->epilogue_count = epilogue.count;
  return 0;
}

// MARK: The terminal

// Writes bytes to the terminal, by one of its descriptors.
//
// Without `open`, it does not wait long for a terminal that takes none, but discards what the
// terminal has not taken before. Else it waits, while only the signals in `open` are blocked, until
// the bytes are written or a handler leaves the terminal.
static void write_whole(int descriptor, const uint8_t *bytes, size_t count, const sigset_t *open) {
  struct pollfd file = {.fd = descriptor, .events = POLLOUT};
  int is_flushed = 0;
  while (count > 0) {
    int ready = open ? ppoll(&file, 1, NULL, open) : poll(&file, 1, output_wait_milliseconds);
    if (open && atomic_load(&state) != state_entered) return;
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && !is_flushed) {
      is_flushed = 1;
      if (tcflush(descriptor, TCOFLUSH) == 0) continue;
    }
    if (ready <= 0) return;
    ssize_t written = write(descriptor, bytes, count);
    if (written < 0 && errno != EINTR && errno != EAGAIN) return;
    if (written < 0) continue;
    bytes += written;
    count -= (size_t)written;
  }
}

static int are_equal(const struct termios *one, const struct termios *other) {
  return one->c_iflag == other->c_iflag && one->c_oflag == other->c_oflag &&
         one->c_cflag == other->c_cflag && one->c_lflag == other->c_lflag &&
         memcmp(one->c_cc, other->c_cc, sizeof one->c_cc) == 0;
}

// Whether another process group, such as that of the shell, has the terminal.
static int is_in_background(void) {
  pid_t group = tcgetpgrp(input_descriptor);
  return group > 0 && group != getpgrp();
}

// Restores the settings, unless another program has the terminal and has made its own.
static void restore_settings(const struct shape *shape) {
  struct termios now;
  if (is_in_background() &&
      (tcgetattr(input_descriptor, &now) != 0 || !are_equal(&now, &shape->raw))) {
    return;
  }
  // Without waiting for the output, which a terminal may never take. Answers of the terminal that
  // nobody reads any more must not reach the shell; a terminal for lines is asked nothing.
  tcsetattr(input_descriptor, TCSANOW, &shape->original);
  if (!shape->is_for_lines) tcflush(input_descriptor, TCIFLUSH);
}

// Returns the settings of raw mode. For lines, only the system's own editing of a line is off.
static struct termios raw_settings(const struct shape *shape) {
  struct termios raw = shape->original;
  if (!shape->is_for_lines) {
    cfmakeraw(&raw);
    return raw;
  }
  raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  return raw;
}

// Makes the files for messages, if the standard error is the terminal.
static void open_messages(void) {
  struct stat error, output;
  if (!isatty(STDERR_FILENO) || fstat(STDERR_FILENO, &error) != 0 ||
      fstat(output_descriptor, &output) != 0 || error.st_rdev != output.st_rdev) {
    return;
  }
  messages_shown = 0;
  messages_descriptor = memfd_create("messages", MFD_CLOEXEC);
  if (messages_descriptor < 0) return;
  error_descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  if (error_descriptor < 0) {
    close(messages_descriptor);
    messages_descriptor = -1;
  }
}

static void close_messages(void) {
  if (messages_descriptor < 0) return;
  close(error_descriptor);
  close(messages_descriptor);
  error_descriptor = messages_descriptor = -1;
}

// Keeps what is written to the standard error from the screen, where it could not be read.
static void hold_messages(void) {
  if (messages_descriptor >= 0) dup2(messages_descriptor, STDERR_FILENO);
}

// Shows what was written to the standard error, such as why the process traps.
static void show_messages(void) {
  if (messages_descriptor < 0) return;
  dup2(error_descriptor, STDERR_FILENO);
  uint8_t bytes[1024];
  ssize_t count;
  while ((count = pread(messages_descriptor, bytes, sizeof bytes, messages_shown)) > 0) {
    messages_shown += count;
    write_whole(error_descriptor, bytes, (size_t)count, NULL);
  }
}

// Leaves the terminal, once. SIGTTOU is blocked here: in the background, the terminal is left, too.
static void leave(enum state next) {
  sigset_t mask, output;
  sigemptyset(&output);
  sigaddset(&output, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &output, &mask);
  int taken = take();
  int entered = state_entered;
  if (atomic_compare_exchange_strong(&state, &entered, next)) {
    const struct shape *shape = current_shape();
    write_whole(output_descriptor, shape->epilogue, shape->epilogue_count, NULL);
    restore_settings(shape);
    show_messages();
  } else if (entered == state_away) {
    atomic_store(&state, next);
  }
  give_back(taken);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

// Enters the terminal; the caller has the lock and blocks more signals than `open`. Returns 0 or an
// error.
static int enter(const sigset_t *open) {
  struct shape *shape = next_shape();
  struct termios now;
  if (tcgetattr(input_descriptor, &now) != 0) return errno;
  // A shell that restores the settings of a job that it continues has no others of its own.
  if (!are_equal(&now, &shape->raw)) shape->original = now;
  struct termios raw = raw_settings(shape);
  shape->raw = raw;
  publish_shape();
  // From here on, each way out leaves the terminal.
  int before = atomic_exchange(&state, state_entered);
  if (tcsetattr(input_descriptor, TCSANOW, &raw) != 0) {
    int error = errno;
    atomic_store(&state, before);
    return error;
  }
  // The system may have made other settings of it.
  if (tcgetattr(input_descriptor, &raw) == 0) {
    shape = next_shape();
    shape->raw = raw;
    publish_shape();
  }
  hold_messages();
  write_whole(output_descriptor, shape->prologue, shape->prologue_count, open);
  atomic_fetch_add(&generation, 1);
  return 0;
}

// In the background, stops the process until it comes to the foreground. Returns 0 or an error.
static int wait_for_foreground(int descriptor) {
  // Output that is not suspended goes on, but first the system sends SIGTTOU.
  while (tcflow(descriptor, TCOON) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

uint32_t retrace_terminal_generation(void) { return atomic_load(&generation); }

int retrace_terminal_write(uint32_t expected, struct retrace_bytes bytes) {
  int error = 0;
  int taken = take();
  while (bytes.count > 0) {
    if (atomic_load(&state) != state_entered || atomic_load(&generation) != expected) break;
    // The handlers of signals do not restart a write that they interrupt.
    ssize_t written = write(output_descriptor, bytes.start, bytes.count);
    if (written >= 0) {
      bytes.start += written;
      bytes.count -= (size_t)written;
    } else if (errno == EAGAIN) {
      struct pollfd file = {.fd = output_descriptor, .events = POLLOUT};
      poll(&file, 1, -1);
    } else if (errno != EINTR) {
      error = errno;
      break;
    }
  }
  give_back(taken);
  return error;
}

// MARK: Signals

// Gives a signal its previous action and sends it again, with what is known of it. It arrives when
// the handler returns, where it arrived first: a core file shows the instruction that crashed.
static void send_again(int number, siginfo_t *info) {
  sigaction(number, &previous[number], NULL);
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, info) != 0) raise(number);
}

static void on_ending(int number, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  leave(state_ending);
  post(retrace_terminal_ending);
  send_again(number, info);
  errno = saved;
}

static void catch_stop(void);

static void on_stop(int number, siginfo_t *info, void *context) {
  int saved = errno;
  leave(state_away);
  send_again(number, info);
  sigset_t interrupted = ((ucontext_t *)context)->uc_sigmask, mask;
  sigdelset(&interrupted, number);
  // The process stops here. A signal that ends it meanwhile is handled here, too.
  pthread_sigmask(SIG_SETMASK, &interrupted, &mask);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  catch_stop();
  // The system does not stop a process whose group no shell could continue.
  if (atomic_load(&state) == state_away) post(retrace_terminal_continued);
  errno = saved;
}

static void on_continue(int number, siginfo_t *info, void *context) {
  int saved = errno;
  int now = atomic_load(&state);
  if (now == state_entered || now == state_away) post(retrace_terminal_continued);
  call(&previous[SIGCONT], number, info, context);
  errno = saved;
}

// The signals that end a process, and whether they are caught if the program has a handler of its
// own. It need not end the process for the others.
static const struct {
  int number;
  int is_chained;
} endings[] = {
    {SIGHUP, 1},  {SIGINT, 1},   {SIGQUIT, 1}, {SIGTERM, 1},   {SIGILL, 1},  {SIGTRAP, 1},
    {SIGABRT, 1}, {SIGBUS, 1},   {SIGFPE, 1},  {SIGSEGV, 1},   {SIGSYS, 1},  {SIGUSR1, 0},
    {SIGUSR2, 0}, {SIGPIPE, 0},  {SIGALRM, 0}, {SIGSTKFLT, 0}, {SIGXCPU, 0}, {SIGXFSZ, 0},
    {SIGIO, 0},   {SIGVTALRM, 0}, {SIGPROF, 0}, {SIGPWR, 0},
};

typedef void (*handler)(int, siginfo_t *, void *);

static int is_ours(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) &&
         (action->sa_sigaction == on_ending || action->sa_sigaction == on_stop ||
          action->sa_sigaction == on_continue);
}

static void install(int number, handler function) {
  // Calls are not restarted, so that a write to the terminal ends when the terminal is left.
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  action.sa_sigaction = function;
  sigaction(number, &action, NULL);
}

static int is_ignored(const struct sigaction *action) {
  return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_IGN;
}

static void catch_stop(void) {
  if (!is_ignored(&previous[SIGTSTP])) install(SIGTSTP, on_stop);
}

static int is_default(const struct sigaction *action) {
  return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
}

static void catch_signals(void) {
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    int number = endings[i].number;
    struct sigaction *before = &previous[number];
    if (sigaction(number, NULL, before) != 0 || is_ignored(before)) continue;
    if (endings[i].is_chained || is_default(before)) install(number, on_ending);
  }
  sigaction(SIGTSTP, NULL, &previous[SIGTSTP]);
  catch_stop();
  sigaction(SIGCONT, NULL, &previous[SIGCONT]);
  install(SIGCONT, on_continue);
}

// Gives the signals their previous actions, but those that the program handles in other ways now.
static void release_signals(void) {
  for (int number = 1; number < NSIG; number++) {
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && is_ours(&now)) {
      sigaction(number, &previous[number], NULL);
    }
  }
}

static void on_exit_of_process(void) { leave(state_ending); }

void retrace_terminal_suspend(void) {
  struct sigaction now;
  if (sigaction(SIGTSTP, NULL, &now) == 0 && !is_ignored(&now)) kill(0, SIGTSTP);
}

// MARK: The stack of handlers

// Gives this thread a stack for handlers, for its whole life, unless it has one.
static void add_signal_stack(void) {
  stack_t stack;
  if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE)) return;
  void *bytes = mmap(NULL, signal_stack_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (bytes == MAP_FAILED) return;
  stack = (stack_t){.ss_sp = bytes, .ss_size = signal_stack_bytes};
  sigaltstack(&stack, NULL);
}

void retrace_with_signal_stack(void (*body)(void *), void *context) {
  uint8_t bytes[signal_stack_bytes];
  stack_t stack = {.ss_sp = bytes, .ss_size = sizeof bytes};
  sigaltstack(&stack, NULL);
  body(context);
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, NULL);
}

// MARK: The life of a terminal

int retrace_terminal_enter(int input, int output, int is_for_lines, struct retrace_bytes prologue,
                           struct retrace_bytes epilogue) {
  static _Atomic int is_registered;
  struct termios settings;
  if (tcgetattr(input, &settings) != 0) return errno;
  int unclaimed = 0;
  if (!atomic_compare_exchange_strong(&is_claimed, &unclaimed, 1)) return EBUSY;
  struct shape *shape = next_shape();
  // The settings of another terminal, before.
  memset(&shape->raw, 0, sizeof shape->raw);
  shape->is_for_lines = is_for_lines;
  int error = set_bytes(shape, prologue, epilogue);
  if (error == 0 && retrace_terminal_events() < 0) error = errno;
  if (error == 0) error = wait_for_foreground(input);
  // What was typed for the shell. Lines may be typed before they are asked for.
  if (error == 0 && !is_for_lines) tcflush(input, TCIFLUSH);
  if (error == 0 && !atomic_exchange(&is_registered, 1) && atexit(on_exit_of_process) != 0) {
    error = ENOMEM;
  }
  if (error != 0) {
    atomic_store(&is_claimed, 0);
    return error;
  }
  publish_shape();
  input_descriptor = input;
  output_descriptor = output;
  if (!is_for_lines) open_messages();
  add_signal_stack();
  // Events that were meant for a terminal before.
  atomic_fetch_and(&events, ~(unsigned)(retrace_terminal_ending | retrace_terminal_continued));
  sigset_t mask;
  block_handlers(&mask);
  int taken = take();
  catch_signals();
  error = enter(&mask);
  if (error != 0) {
    release_signals();
    close_messages();
    atomic_store(&state, state_none);
    atomic_store(&is_claimed, 0);
  }
  give_back(taken);
  unblock_handlers(&mask);
  return error;
}

int retrace_terminal_replace(struct retrace_bytes prologue, struct retrace_bytes epilogue) {
  sigset_t mask;
  block_handlers(&mask);
  int taken = take();
  int error = set_bytes(next_shape(), prologue, epilogue);
  if (error == 0) publish_shape();
  give_back(taken);
  unblock_handlers(&mask);
  return error;
}

int retrace_terminal_resume(void) {
  int error = wait_for_foreground(input_descriptor);
  if (error != 0) return error;
  sigset_t mask;
  block_handlers(&mask);
  int taken = take();
  int now = atomic_load(&state);
  // This follows each time that the process was continued until here.
  atomic_fetch_and(&events, ~(unsigned)retrace_terminal_continued);
  if (now == state_entered) {
    // SIGSTOP cannot be caught. What the shell changed meanwhile is brought to a known state.
    const struct shape *shape = current_shape();
    write_whole(output_descriptor, shape->epilogue, shape->epilogue_count, &mask);
  }
  // The handler that stopped the process may still run on another thread.
  if (now == state_away) catch_stop();
  error = now == state_entered || now == state_away ? enter(&mask) : ECANCELED;
  give_back(taken);
  unblock_handlers(&mask);
  return error;
}

void retrace_terminal_leave(void) {
  sigset_t mask;
  block_handlers(&mask);
  leave(state_none);
  release_signals();
  close_messages();
  atomic_store(&state, state_none);
  atomic_store(&is_claimed, 0);
  unblock_handlers(&mask);
}
