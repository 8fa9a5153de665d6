#pragma once
#include <stdint.h>

/// A screen in C: what is composed, and what was shown before.
typedef struct screen screen;

/// Makes a screen of blank cells. `widths` has the cells of each scalar, 0x110000 of them, and is
/// used as long as the screen.
screen *screen_make(int columns, int rows, const uint8_t *widths);

/// Frees a screen.
void screen_free(screen *s);

/// Composes a heading and as many rows of a list as fit, and compares them with what was shown.
///
/// Row `i` has the text `i % count` of the texts, in UTF-8. The selected row has another
/// background.
/// Returns the number of cells that changed, or of bytes that were written to `out`.
///
/// If `out` is not null, it has room for 64 bytes for each cell, and gets the sequences that show
/// the cells that changed on a terminal.
int64_t screen_frame(
    screen *s, const uint8_t *bytes, const int64_t *ends, int64_t count, int64_t first,
    int64_t selected, uint8_t *out);

/// Returns the FNV-1a hash of the scalars that are shown, without the second cells of wide ones.
uint64_t screen_hash(const screen *s);
