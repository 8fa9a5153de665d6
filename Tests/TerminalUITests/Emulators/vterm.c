// Shows bytes on a terminal of libvterm, and prints its cells: the commands and the output are
// those of `Python/emulator.py`.
//
// The output has some members more: mouse (0 for no reports, 1 for clicks, 2 for drags, 3 for any
// motion), shape (1 for a block, 2 for a line below, 3 for a line on the left) and title.
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

static VTerm *terminal;
static VTermScreen *screen;
static bool is_hidden, is_alternate;
static int mouse, shape;
static char title[4096];

static int on_property(VTermProp property, VTermValue *value, void *user) {
  (void)user;
  switch (property) {
    case VTERM_PROP_CURSORVISIBLE: is_hidden = !value->boolean; break;
    case VTERM_PROP_ALTSCREEN: is_alternate = value->boolean; break;
    case VTERM_PROP_MOUSE: mouse = value->number; break;
    case VTERM_PROP_CURSORSHAPE: shape = value->number; break;
    case VTERM_PROP_TITLE: snprintf(title, sizeof title, "%s", value->string); break;
    default: break;
  }
  return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

static void drop(const char *bytes, size_t count, void *user) {
  (void)bytes, (void)count, (void)user;
}

static void open_terminal(int columns, int rows) {
  if (terminal) vterm_free(terminal);
  terminal = vterm_new(rows, columns);
  vterm_set_utf8(terminal, true);
  vterm_output_set_callback(terminal, drop, NULL);
  screen = vterm_obtain_screen(terminal);
  vterm_screen_set_callbacks(screen, &callbacks, NULL);
  vterm_screen_enable_altscreen(screen, true);
  title[0] = 0;
  vterm_screen_reset(screen, true);
}

static int digit(char letter) {
  return letter <= '9' ? letter - '0' : letter - 'a' + 10;
}

static void feed(const char *hex) {
  size_t count = strlen(hex) / 2;
  char *bytes = malloc(count + 1);
  if (!bytes) abort();
  for (size_t i = 0; i < count; i++) {
    bytes[i] = (char)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
  }
  vterm_input_write(terminal, bytes, count);
  free(bytes);
}

// Prints a character in a string of JSON.
static void print_character(uint32_t scalar) {
  if (scalar < 0x20 || scalar == '"' || scalar == '\\') {
    printf("\\u%04x", scalar);
  } else if (scalar < 0x80) {
    putchar((int)scalar);
  } else if (scalar < 0x800) {
    printf("%c%c", 0xC0 | scalar >> 6, 0x80 | (scalar & 0x3F));
  } else if (scalar < 0x10000) {
    printf("%c%c%c", 0xE0 | scalar >> 12, 0x80 | (scalar >> 6 & 0x3F), 0x80 | (scalar & 0x3F));
  } else {
    printf("%c%c%c%c", 0xF0 | scalar >> 18, 0x80 | (scalar >> 12 & 0x3F),
           0x80 | (scalar >> 6 & 0x3F), 0x80 | (scalar & 0x3F));
  }
}

static VTermScreenCell cell_at(int row, int column) {
  VTermScreenCell cell;
  vterm_screen_get_cell(screen, (VTermPos){.row = row, .col = column}, &cell);
  return cell;
}

static void print_text(int row, int columns) {
  for (int column = 0; column < columns; column++) {
    VTermScreenCell cell = cell_at(row, column);
    printf(column ? ",\"" : "\"");
    // The second cell of a character has the highest number.
    if (cell.chars[0] == 0) putchar(' ');
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] + 1 > 1; i++) {
      print_character(cell.chars[i]);
    }
    putchar('"');
  }
}

static int add_color(char *text, size_t size, const VTermColor *color) {
  if (VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color)) {
    return snprintf(text, size, " -");
  }
  if (VTERM_COLOR_IS_INDEXED(color)) return snprintf(text, size, " %d", color->indexed.idx);
  return snprintf(text, size, " #%02x%02x%02x", color->rgb.red, color->rgb.green, color->rgb.blue);
}

static void write_style(char *text, size_t size, const VTermScreenCell *cell) {
  int end = 0;
  if (cell->attrs.bold) text[end++] = 'b';
  if (cell->attrs.italic) text[end++] = 'i';
  if (cell->attrs.underline) text[end++] = 'u';
  if (cell->attrs.reverse) text[end++] = 'r';
  if (cell->attrs.strike) text[end++] = 's';
  if (end == 0) text[end++] = '-';
  end += add_color(text + end, size - (size_t)end, &cell->fg);
  add_color(text + end, size - (size_t)end, &cell->bg);
}

static void print_styles(int row, int columns) {
  char styles[2][64] = {"", ""};
  int start = 0;
  for (int column = 0; column <= columns; column++) {
    if (column < columns) {
      VTermScreenCell cell = cell_at(row, column);
      // The second cell of a character has no style of its own.
      if (cell.chars[0] != UINT32_MAX) write_style(styles[1], sizeof styles[1], &cell);
      if (column == 0) strcpy(styles[0], styles[1]);
      if (strcmp(styles[0], styles[1]) == 0) continue;
    }
    printf("%s\"%d %s\"", start ? "," : "", column - start, styles[0]);
    strcpy(styles[0], styles[1]);
    start = column;
  }
}

static void show(void) {
  int rows, columns;
  vterm_get_size(terminal, &rows, &columns);
  printf("{\"rows\":[");
  for (int row = 0; row < rows; row++) {
    printf(row ? ",[" : "[");
    print_text(row, columns);
    putchar(']');
  }
  printf("],\"styles\":[");
  for (int row = 0; row < rows; row++) {
    printf(row ? ",[" : "[");
    print_styles(row, columns);
    putchar(']');
  }
  VTermPos place;
  vterm_state_get_cursorpos(vterm_obtain_state(terminal), &place);
  printf("],\"cursor\":[%d,%d],\"isHidden\":%s,\"isAlternate\":%s,\"mouse\":%d,\"shape\":%d",
         place.row, place.col, is_hidden ? "true" : "false", is_alternate ? "true" : "false", mouse,
         shape);
  printf(",\"title\":\"");
  for (const char *byte = title; *byte; byte++) {
    if ((unsigned char)*byte < 0x80) print_character((unsigned char)*byte);
    else putchar(*byte);
  }
  printf("\"}\n");
}

int main(void) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t count;
  while ((count = getline(&line, &capacity, stdin)) > 0) {
    int columns, rows;
    if (line[count - 1] == '\n') line[count - 1] = 0;
    if (strcmp(line, "show") == 0) show();
    else if (strncmp(line, "feed ", 5) == 0) feed(line + 5);
    else if (sscanf(line, "open %d %d", &columns, &rows) == 2) open_terminal(columns, rows);
    else if (sscanf(line, "resize %d %d", &columns, &rows) == 2) {
      vterm_set_size(terminal, rows, columns);
    } else return 64;
  }
  free(line);
  return 0;
}
