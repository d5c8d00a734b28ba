package dev.superstep.repl.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/// The name of a function and its parameters, as Python writes them. Immutable.
public record Signature(String name, List<Parameter> parameters) {
  public Signature {
    parameters = List.copyOf(parameters);
  }

  /// A parameter.
  public record Parameter(String name, Kind kind, boolean isOptional) {
    /// Returns whether an argument without a name can fill it.
    public boolean isPositional() {
      return kind == Kind.POSITIONAL || kind == Kind.EITHER;
    }

    /// Returns whether an argument with its name can fill it.
    public boolean isNamed() {
      return kind == Kind.EITHER || kind == Kind.NAMED;
    }
  }

  /// The ways to give an argument.
  public enum Kind {
    /// By its place only.
    POSITIONAL,
    /// By its place or its name.
    EITHER,
    /// All further arguments without a name.
    REST,
    /// By its name only.
    NAMED,
    /// All further arguments with a name.
    NAMED_REST
  }

  /// Reads a signature such as `sorted(iterable, /, *, key=, reverse=)`: `=` marks what may be left
  /// out, `/` ends what has no name, `*` begins what needs one.
  ///
  /// @throws IllegalArgumentException if the text is none
  public static Signature parse(String text) {
    int open = text.indexOf('(');
    if (open < 1 || !text.endsWith(")")) {
      throw new IllegalArgumentException("a signature is name(parameters), was: " + text);
    }
    var parameters = new ArrayList<Parameter>();
    var kind = Kind.EITHER;
    for (var part : text.substring(open + 1, text.length() - 1).split(",", -1)) {
      var word = part.strip();
      if (word.isEmpty()) continue;
      if (word.equals("/")) {
        parameters.replaceAll(p -> new Parameter(p.name(), Kind.POSITIONAL, p.isOptional()));
      } else if (word.equals("*")) {
        kind = Kind.NAMED;
      } else if (word.startsWith("**")) {
        parameters.add(new Parameter(word.substring(2), Kind.NAMED_REST, true));
      } else if (word.startsWith("*")) {
        parameters.add(new Parameter(word.substring(1), Kind.REST, true));
        kind = Kind.NAMED;
      } else {
        boolean isOptional = word.endsWith("=");
        var bare = isOptional ? word.substring(0, word.length() - 1) : word;
        parameters.add(new Parameter(bare, kind, isOptional));
      }
    }
    return new Signature(text.substring(0, open), parameters);
  }

  /// Says in what a call does not fit, or nothing.
  ///
  /// @param positional the number of arguments without a name
  /// @param named the names of the others
  /// @param isOpen whether `*` or `**` in the call may add more
  public String misfit(int positional, Collection<String> named, boolean isOpen) {
    var most = parameters.stream().filter(Parameter::isPositional).toList();
    boolean takesRest = parameters.stream().anyMatch(p -> p.kind() == Kind.REST);
    if (positional > most.size() && !takesRest) return tooMany(most, positional);
    var given = new HashSet<String>();
    var byPlace = new HashSet<String>();
    for (int i = 0; i < Math.min(positional, most.size()); i++) {
      // One that has a place alone leaves its name to `**`.
      (most.get(i).isNamed() ? given : byPlace).add(most.get(i).name());
    }
    for (var word : named) {
      boolean isKnown =
          parameters.stream()
              .anyMatch(p -> p.kind() == Kind.NAMED_REST || (p.isNamed() && p.name().equals(word)));
      if (!isKnown) return name + "() got an unexpected keyword argument '" + word + "'";
      if (!given.add(word)) return name + "() got multiple values for argument '" + word + "'";
    }
    if (isOpen) return "";
    var missing =
        parameters.stream()
            .filter(p -> !p.isOptional())
            .filter(p -> !(p.isNamed() ? given : byPlace).contains(p.name()))
            .toList();
    return missing.isEmpty() ? "" : missing(missing);
  }

  private String tooMany(List<Parameter> most, int given) {
    if (most.isEmpty()) return name + "() takes no arguments (" + given + " given)";
    long least = most.stream().filter(p -> !p.isOptional()).count();
    var takes =
        least == most.size() ? String.valueOf(least) : "from " + least + " to " + most.size();
    return name
        + "() takes "
        + takes
        + (takes.equals("1") ? " positional argument but " : " positional arguments but ")
        + given
        + (given == 1 ? " was given" : " were given");
  }

  private String missing(List<Parameter> missing) {
    var kind = missing.getFirst().kind() == Kind.NAMED ? "keyword-only" : "positional";
    var names =
        missing.stream()
            .map(p -> "'" + p.name() + "'")
            .collect(Collectors.toCollection(ArrayList::new));
    int count = names.size();
    var last = names.removeLast();
    var list =
        count == 1 ? last : String.join(", ", names) + (count == 2 ? " and " : ", and ") + last;
    return name
        + "() missing "
        + count
        + " required "
        + kind
        + (count == 1 ? " argument: " : " arguments: ")
        + list;
  }

  /// The signature as Python shows it.
  @Override
  public String toString() {
    var shown =
        parameters.stream()
            .map(p ->
                switch (p.kind()) {
                  case REST -> "*" + p.name();
                  case NAMED_REST -> "**" + p.name();
                  case POSITIONAL, EITHER, NAMED -> p.name() + (p.isOptional() ? "=..." : "");
                });
    return name + "(" + shown.collect(Collectors.joining(", ")) + ")";
  }
}
