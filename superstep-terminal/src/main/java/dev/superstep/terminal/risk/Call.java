package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import java.util.ArrayList;
import java.util.List;

/// A program with its arguments, about to be judged. Immutable.
///
/// @param words the program and its arguments
/// @param wrappers the programs that run it, the outermost first
/// @param input of the program
/// @param isCertain whether the arguments are all there
record Call(List<ResolvedWord> words, List<String> wrappers, PipeData input, boolean isCertain) {
  ResolvedWord program() {
    return words.getFirst();
  }

  /// The name without its directory.
  String name() {
    var value = program().value();
    return value.substring(value.lastIndexOf('/') + 1);
  }

  List<ResolvedWord> arguments() {
    return words.subList(1, words.size());
  }

  Span span() {
    return words.getFirst().span().to(words.getLast().span());
  }

  /// The call of a program that this one runs.
  Call inner(List<ResolvedWord> command, boolean isComplete) {
    var outer = new ArrayList<>(wrappers);
    outer.add(name());
    return new Call(command, outer, input, isCertain && isComplete);
  }

  boolean isWrappedBy(String name) {
    return wrappers.contains(name);
  }
}
