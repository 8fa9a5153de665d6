// Walks the Avro bytes of the workload's actions, and writes them again: the yardstick of the
// codec.
//
// No value is kept: numbers are summed, strings are skipped or copied. Each position is checked
// against the end of the action; the shape is written by hand, case by case.
#include "codec.h"

#include <string.h>

typedef struct {
  const uint8_t *at, *end;
  uint8_t *out;
  uint64_t sum;
  int failed;
} walker;

#define INLINE static inline __attribute__((always_inline))

INLINE void put(walker *w, uint64_t value) {
  while (value >= 0x80) {
    *w->out++ = (uint8_t)value | 0x80;
    value >>= 7;
  }
  *w->out++ = (uint8_t)value;
}

INLINE int64_t number(walker *w, int writes) {
  uint64_t value = 0;
  if (__builtin_expect(w->at < w->end && *w->at < 0x80, 1)) {
    value = *w->at++;
  } else {
    for (unsigned shift = 0;; shift += 7) {
      if (w->at == w->end || shift > 63) {
        w->failed = 1;
        return 0;
      }
      uint8_t byte = *w->at++;
      value |= (uint64_t)(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
  }
  if (writes) put(w, value);
  w->sum = w->sum * 31 + value;
  return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

INLINE void text(walker *w, int writes) {
  int64_t count = number(w, writes);
  if (count < 0 || count > w->end - w->at) {
    w->failed = 1;
    return;
  }
  if (writes) {
    memcpy(w->out, w->at, (size_t)count);
    w->out += count;
  }
  w->at += count;
}

INLINE void flag(walker *w, int writes) {
  if (w->at == w->end || *w->at > 1) {
    w->failed = 1;
    return;
  }
  if (writes) *w->out++ = *w->at;
  w->sum = w->sum * 31 + *w->at++;
}

INLINE int present(walker *w, int writes) {
  int64_t branch = number(w, writes);
  if (branch < 0 || branch > 1) w->failed = 1;
  return branch == 1;
}

INLINE void maybe(walker *w, int writes) {
  if (present(w, writes)) number(w, writes);
}

INLINE void numbers(walker *w, int writes) {
  int64_t count = number(w, writes);
  if (count == 0) return;
  if (count < 0 || count > w->end - w->at) {
    w->failed = 1;
    return;
  }
  for (int64_t index = 0; index < count; index++) number(w, writes);
  if (number(w, writes) != 0) w->failed = 1;
}

INLINE void draft(walker *w, int writes) {
  text(w, writes);
  maybe(w, writes);
  maybe(w, writes);
  numbers(w, writes);
  maybe(w, writes);
  flag(w, writes);
}

INLINE void patch(walker *w, int writes) {
  if (present(w, writes)) text(w, writes);
  maybe(w, writes);
  if (present(w, writes)) numbers(w, writes);
  maybe(w, writes);
  maybe(w, writes);
  if (present(w, writes)) flag(w, writes);
}

INLINE void place(walker *w, int writes) {
  switch (number(w, writes)) {
    case 0: return;
    case 1: case 2: number(w, writes); return;
    case 3: text(w, writes); return;
    default: w->failed = 1;
  }
}

#define N number(w, writes)
#define T text(w, writes)
#define B flag(w, writes)
#define O maybe(w, writes)
#define CASE(index, ...) case index: __VA_ARGS__; return
#define OTHERS default: w->failed = 1; return

INLINE void action(walker *w, int writes) {
  switch (N) {
    case 0:
      switch (N) {
        CASE(0, draft(w, writes)); CASE(1, N); CASE(2, N); CASE(3, N); CASE(4, N); CASE(5, N; N);
        CASE(6, N; N); CASE(7, N; N); OTHERS;
      }
    case 1:
      switch (N) {
        CASE(0, N; T); CASE(1, N; patch(w, writes)); CASE(2, N; O); CASE(3, N; numbers(w, writes));
        CASE(4, N); CASE(5, N; O); CASE(6, N; N); CASE(7, N); CASE(8, N; N); OTHERS;
      }
    case 2:
      switch (N) {
        CASE(0, N); CASE(1, N); CASE(2, N); CASE(3, N); CASE(4, ); CASE(5, T; N; N); CASE(6, N);
        OTHERS;
      }
    case 3:
      switch (N) {
        CASE(0, T; N); CASE(1, N; T); CASE(2, N; N); CASE(3, N); CASE(4, N); CASE(5, N); CASE(6, N);
        OTHERS;
      }
    case 4:
      switch (N) {
        CASE(0, T); CASE(1, N; T); CASE(2, N); CASE(3, N; N); CASE(4, T); CASE(5, ); OTHERS;
      }
    case 5:
      switch (N) {
        CASE(0, T); CASE(1, N; T); CASE(2, N); CASE(3, N; N); CASE(4, N; T); CASE(5, N; N); OTHERS;
      }
    case 6:
      switch (N) {
        CASE(0, N; N); CASE(1, N); CASE(2, O); CASE(3, O); CASE(4, N); CASE(5, T); CASE(6, );
        OTHERS;
      }
    case 7:
      switch (N) {
        CASE(0, N); CASE(1, N); CASE(2, T); CASE(3, ); CASE(4, N); CASE(5, T); CASE(6, B); OTHERS;
      }
    case 8:
      switch (N) {
        CASE(0, place(w, writes)); CASE(1, ); CASE(2, place(w, writes)); CASE(3, N); CASE(4, T);
        CASE(5, ); OTHERS;
      }
    case 9:
      switch (N) {
        CASE(0, N); CASE(1, N; N); CASE(2, N; T); CASE(3, N; B); CASE(4, N); CASE(5, ); OTHERS;
      }
    OTHERS;
  }
}

INLINE uint64_t each(
    const uint8_t *bytes, const int64_t *ends, int64_t count, uint8_t *out, int writes) {
  walker w = {bytes, bytes, out, 0, 0};
  for (int64_t index = 0; index < count; index++) {
    w.end = bytes + ends[index];
    action(&w, writes);
    if (w.failed || w.at != w.end) return 0;
  }
  return writes ? (uint64_t)(w.out - out) : w.sum | 1;
}

uint64_t codec_walk(const uint8_t *bytes, const int64_t *ends, int64_t count) {
  return each(bytes, ends, count, 0, 0);
}

uint64_t codec_rewrite(const uint8_t *bytes, const int64_t *ends, int64_t count, uint8_t *out) {
  return each(bytes, ends, count, out, 1);
}
