// Composes a list from rows in UTF-8 and compares its cells with those that were shown before: the
// yardstick of canvases.
//
// It looks up widths, cuts at the edge, fills with blanks and compares, all in arrays that are made
// once. It keeps one scalar in a cell, escapes nothing and writes no bytes to a terminal.
#include "screen.h"

#include <stdlib.h>

typedef struct {
  uint32_t content, foreground, background;
  uint16_t attributes, link;
} cell;

struct screen {
  int columns, rows;
  const uint8_t *widths;
  cell *cells, *shown;
};

screen *screen_make(int columns, int rows, const uint8_t *widths) {
  screen *s = calloc(1, sizeof *s);
  size_t count = (size_t)columns * (size_t)rows;
  s->columns = columns;
  s->rows = rows;
  s->widths = widths;
  s->cells = calloc(count, sizeof(cell));
  s->shown = calloc(count, sizeof(cell));
  return s;
}

void screen_free(screen *s) {
  free(s->cells);
  free(s->shown);
  free(s);
}

static void fill(cell *cells, int count, cell value) {
  for (int i = 0; i < count; i++) cells[i] = value;
}

// The scalar of valid UTF-8 at `*at`, which moves after it.
static inline uint32_t decode(const uint8_t **at) {
  const uint8_t *p = *at;
  uint32_t first = *p;
  if (first < 0x80) {
    *at = p + 1;
    return first;
  }
  if (first < 0xe0) {
    *at = p + 2;
    return (first & 0x1f) << 6 | (p[1] & 0x3f);
  }
  if (first < 0xf0) {
    *at = p + 3;
    return (first & 0x0f) << 12 | (uint32_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
  }
  *at = p + 4;
  return (first & 0x07) << 18 | (uint32_t)(p[1] & 0x3f) << 12 | (uint32_t)(p[2] & 0x3f) << 6 |
         (p[3] & 0x3f);
}

static void text(screen *s, int row, const uint8_t *at, const uint8_t *end, cell style) {
  cell *cells = s->cells + (size_t)row * (size_t)s->columns;
  int column = 0;
  while (at < end && column < s->columns) {
    uint32_t scalar = decode(&at);
    int width = s->widths[scalar];
    if (width == 0) continue;
    if (column + width > s->columns) break;
    cell value = style;
    value.content = scalar | (uint32_t)width << 28;
    cells[column] = value;
    if (width == 2) {
      value.content = 0;
      cells[column + 1] = value;
    }
    column += width;
  }
}

static int is_same(const cell *a, const cell *b) {
  return ((a->content ^ b->content) | (a->foreground ^ b->foreground) |
          (a->background ^ b->background) | (uint32_t)(a->attributes ^ b->attributes) |
          (uint32_t)(a->link ^ b->link)) == 0;
}

int64_t screen_frame(
    screen *s, const uint8_t *bytes, const int64_t *ends, int64_t count, int64_t first,
    int64_t selected) {
  static const uint8_t heading[] = "Entries";
  cell plain = {0x20 | 1u << 28, 0, 1, 0, 0};
  fill(s->cells, s->columns * s->rows, plain);
  cell title = {0, 3, 1, 1, 0};
  text(s, 0, heading, heading + sizeof heading - 1, title);
  for (int row = 1; row < s->rows; row++) {
    int64_t index = first + row - 1, place = index % count;
    cell style = plain;
    if (index == selected) {
      style.background = 9;
      fill(s->cells + (size_t)row * (size_t)s->columns, s->columns, style);
    }
    text(s, row, bytes + (place > 0 ? ends[place - 1] : 0), bytes + ends[place], style);
  }
  int64_t changed = 0;
  for (int i = 0; i < s->columns * s->rows; i++) changed += !is_same(s->cells + i, s->shown + i);
  cell *shown = s->shown;
  s->shown = s->cells;
  s->cells = shown;
  return changed;
}

uint64_t screen_hash(const screen *s) {
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < s->columns * s->rows; i++) {
    if (s->shown[i].content == 0) continue;
    hash = (hash ^ (s->shown[i].content & 0x1fffff)) * 0x100000001b3;
  }
  return hash;
}
