#ifndef CRETRACETERMINAL_H
#define CRETRACETERMINAL_H
// A terminal in raw mode: how it is entered, left on every way out, and entered again.
//
// All of it is in C, because signal handlers leave the terminal. They may call only functions that
// are safe in a handler, and Swift promises nothing about what its code calls.
#include <stddef.h>
#include <stdint.h>

// What happened beside the input. The first of several is the smallest.
enum {
  // A signal that asks the process to end arrived; the terminal is left.
  retrace_terminal_ending = 1,
  // The process was stopped and continues, so the terminal has to be entered again.
  retrace_terminal_continued = 2,
  retrace_terminal_resized = 4,
  retrace_terminal_woken = 8,
};

// The most bytes of a prologue or an epilogue.
enum { retrace_terminal_bytes_max = 4096 };

// Bytes that a caller owns.
struct retrace_bytes {
  const uint8_t *_Nullable start;
  size_t count;
};

// Enters raw mode and writes the prologue. Leaving writes the epilogue and restores the settings.
// In the background the process is stopped first, until it comes to the foreground.
// For lines, keys that send signals still do, output and messages are shown as before, and nothing
// that was typed is dropped.
// Returns 0 or an error: EBUSY if a terminal is entered, E2BIG for more bytes than the limit.
int retrace_terminal_enter(int input, int output, int is_for_lines, struct retrace_bytes prologue,
                           struct retrace_bytes epilogue);

// Replaces both for what follows; writes nothing. Returns 0 or E2BIG.
int retrace_terminal_replace(struct retrace_bytes prologue, struct retrace_bytes epilogue);

// Enters the terminal again after retrace_terminal_continued. Returns 0 or an error, ECANCELED if
// it was left for good.
int retrace_terminal_resume(void);

// Leaves the terminal and gives the signals their previous actions.
void retrace_terminal_leave(void);

// The number of times that the terminal was entered.
uint32_t retrace_terminal_generation(void);

// Writes bytes, unless the terminal was left since `generation`; the rest is then dropped. Returns
// 0 or an error.
int retrace_terminal_write(uint32_t generation, struct retrace_bytes bytes);

// Stops the process group as the suspend key of a terminal does. Does nothing where SIGTSTP is
// ignored.
void retrace_terminal_suspend(void);

// Returns a descriptor that is readable when there is an event, or -1 and errno. The first call
// makes it, and starts to catch SIGWINCH.
int retrace_terminal_events(void);

// The same descriptor, or -1 before it was made.
int retrace_terminal_events_made(void);

// Removes and returns the first event; 0 without one.
unsigned retrace_terminal_next_event(void);

// Adds retrace_terminal_woken, from any thread.
void retrace_terminal_wake(void);

// Calls `body` with a stack for signal handlers at the bottom of the thread's own, so that a
// handler still runs when the thread's stack is full.
void retrace_with_signal_stack(void (*_Nonnull body)(void *_Nullable), void *_Nullable context);
#endif
