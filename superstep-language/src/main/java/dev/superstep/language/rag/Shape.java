package dev.superstep.language.rag;

/// The form of the value of an item.
public enum Shape {
  /// A word of a fixed set.
  WORD("word"),
  /// A string.
  TEXT("string"),
  /// Strings in brackets.
  TEXTS("strings"),
  /// A name of the graph.
  NAME("name"),
  /// Names of the graph in brackets.
  NAMES("names"),
  /// A target, or several in brackets.
  TARGETS("targets"),
  /// A whole number.
  COUNT("number"),
  /// A duration; a bare number counts seconds.
  DURATION("duration"),
  /// Nothing: the keyword alone.
  FLAG(""),
  /// Keys and values in braces.
  OBJECT("object"),
  /// A string, or the name of a template.
  PROMPT("prompt"),
  /// A type.
  TYPE("type"),
  /// Names with types in braces.
  FIELDS("fields"),
  /// A router.
  ROUTER("router"),
  /// Labels with targets in braces.
  ROUTES("routes"),
  /// Targets that are sent arguments.
  SENDS("sends"),
  /// A mapping and its targets.
  FAN_OUT("fan_out"),
  /// A target and what is written before it runs.
  COMMAND("command"),
  /// Who may steer, and how.
  STEERING("steering"),
  /// The handling of a failure.
  ON_FAILURE("on_failure"),
  /// A number of times in a span of time.
  RATE("rate"),
  /// The sources of a join.
  SOURCES("sources"),
  /// Further items in braces.
  BLOCK("block");

  private final String production;

  Shape(String production) {
    this.production = production;
  }

  /// The production in the grammar; empty if the keyword stands alone.
  public String production() {
    return production;
  }
}
