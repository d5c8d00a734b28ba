package dev.superstep.rag.internal.binding;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Span;
import dev.superstep.language.rag.RagCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Collects what keeps a graph from being bound. One thread at a time.
public final class BindingProblems {
  private final Function<String, Span> places;
  private final List<Diagnostic> found = new ArrayList<>();

  /// @param places where the part of a path is in the source
  public BindingProblems(Function<String, Span> places) {
    this.places = places;
  }

  /// A part that registered components cannot be bound to.
  public void unfit(String path, String message, String help) {
    add(RagCode.UNFIT_COMPONENT, path, message, help);
  }

  /// A part for which something is missing here.
  public void missing(String path, String message, String help) {
    add(RagCode.NOT_AVAILABLE, path, message, help);
  }

  public void add(RagCode code, String path, String message, String help) {
    found.add(code.at(places.apply(path), message).help(help));
  }

  public void addAll(BindingProblems others) {
    found.addAll(others.found);
  }

  public List<Diagnostic> found() {
    return List.copyOf(found);
  }

  public boolean isEmpty() {
    return found.isEmpty();
  }
}
