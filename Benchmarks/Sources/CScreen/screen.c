// Composes a list from rows in UTF-8 and compares its cells with those that were shown before: the
// yardstick of canvases.
//
// It looks up widths, cuts at the edge, fills with blanks and compares, all in arrays that are made
// once. It keeps one scalar in a cell and escapes nothing.
#include "screen.h"

#include <stdlib.h>
#include <string.h>

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

static uint8_t *number(uint8_t *out, int value) {
  if (value >= 10) out = number(out, value / 10);
  *out++ = (uint8_t)('0' + value % 10);
  return out;
}

static uint8_t *sequence(uint8_t *out, const char *text) {
  size_t count = strlen(text);
  memcpy(out, text, count);
  return out + count;
}

static uint8_t *encode(uint8_t *out, uint32_t scalar) {
  if (scalar < 0x80) {
    *out++ = (uint8_t)scalar;
    return out;
  }
  if (scalar < 0x800) {
    *out++ = (uint8_t)(0xc0 | scalar >> 6);
  } else {
    if (scalar < 0x10000) {
      *out++ = (uint8_t)(0xe0 | scalar >> 12);
    } else {
      *out++ = (uint8_t)(0xf0 | scalar >> 18);
      *out++ = (uint8_t)(0x80 | (scalar >> 12 & 0x3f));
    }
    *out++ = (uint8_t)(0x80 | (scalar >> 6 & 0x3f));
  }
  *out++ = (uint8_t)(0x80 | (scalar & 0x3f));
  return out;
}

// Writes the changed cells of a row, each run of them in its place; styles by their numbers.
static uint8_t *write_row(const screen *s, int row, uint8_t *out, cell *style) {
  const cell *new = s->cells + (size_t)row * (size_t)s->columns;
  const cell *old = s->shown + (size_t)row * (size_t)s->columns;
  int place = -1;
  for (int column = 0; column < s->columns; column++) {
    if (is_same(new + column, old + column) || new[column].content == 0) continue;
    if (column != place) {
      out = number(sequence(out, "\x1b["), row + 1);
      out = number(sequence(out, ";"), column + 1);
      out = sequence(out, "H");
    }
    if (new[column].foreground != style->foreground ||
        new[column].background != style->background ||
        new[column].attributes != style->attributes) {
      *style = new[column];
      out = number(sequence(out, "\x1b[0;38;5;"), (int)style->foreground);
      out = number(sequence(out, ";48;5;"), (int)style->background);
      out = sequence(out, "m");
    }
    out = encode(out, new[column].content & 0x1fffff);
    place = column + (int)(new[column].content >> 28);
  }
  return out;
}

int64_t screen_frame(
    screen *s, const uint8_t *bytes, const int64_t *ends, int64_t count, int64_t first,
    int64_t selected, uint8_t *out) {
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
  if (out) {
    uint8_t *end = out;
    cell style = plain;
    for (int row = 0; row < s->rows; row++) end = write_row(s, row, end, &style);
    changed = end - out;
  } else {
    for (int i = 0; i < s->columns * s->rows; i++) changed += !is_same(s->cells + i, s->shown + i);
  }
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
