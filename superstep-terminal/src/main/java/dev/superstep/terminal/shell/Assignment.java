package dev.superstep.terminal.shell;

import dev.superstep.language.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A variable and its new value, before a command or alone. Immutable.
///
/// @param index of an array, as in `a[1]=x`
/// @param value `null` for an array
/// @param elements of an array, as in `a=(x y)`
/// @param isAppended whether it is written with `+=`
public record Assignment(
    String name,
    @Nullable Word index,
    @Nullable Word value,
    List<Word> elements,
    boolean isAppended,
    Span span) {
  public Assignment {
    elements = List.copyOf(elements);
  }
}
