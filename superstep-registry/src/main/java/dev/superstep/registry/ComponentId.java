package dev.superstep.registry;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/// An id of a component: `kind:name`, `kind:namespace/name`, each with or without `@version`. Kind,
/// namespace and name are in snake case and are never class names. A version consists of parts of
/// letters and digits, such as `2`, `1.4.0-rc1`. Immutable; sorted by kind, name, namespace,
/// version.
public record ComponentId(
    String kind, Optional<String> namespace, String name, Optional<String> version)
    implements Comparable<ComponentId> {
  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
  private static final Pattern VERSION = Pattern.compile("[0-9A-Za-z]+([._-][0-9A-Za-z]+)*");
  private static final Pattern TEXT =
      Pattern.compile("([^:/@]*):(?:([^:/@]*)/)?([^:/@]*)(?:@([^:/@]*))?");
  private static final int LENGTH_MAX = 64;
  private static final Comparator<ComponentId> ORDER =
      Comparator.comparing(ComponentId::kind)
          .thenComparing(ComponentId::name)
          .thenComparing(id -> id.namespace.orElse(""))
          .thenComparing(id -> id.version.orElse(""));

  /// @throws InvalidComponentName naming the part that is not as it should be
  public ComponentId {
    checked("kind", kind);
    namespace.ifPresent(text -> checked("namespace", text));
    checked("name", name);
    version.ifPresent(ComponentId::checkVersion);
  }

  /// Reads the text form.
  ///
  /// @throws InvalidComponentName if it is not that
  public static ComponentId parse(String text) {
    var parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new InvalidComponentName(
          "id", text, "Write `kind:name`, `kind:namespace/name@version`.");
    }
    return new ComponentId(
        parts.group(1),
        Optional.ofNullable(parts.group(2)),
        parts.group(3),
        Optional.ofNullable(parts.group(4)));
  }

  /// As [#parse] reads it.
  public String text() {
    return kind + ":" + local();
  }

  /// The text form without the kind, as [Kind#id] reads it.
  public String local() {
    return namespace.map(text -> text + "/").orElse("")
        + name
        + version.map(text -> "@" + text).orElse("");
  }

  @Override
  public int compareTo(ComponentId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return text();
  }

  /// @param what which part it is, for the message
  static String checked(String what, String text) {
    if (text.length() > LENGTH_MAX || !WORD.matcher(text).matches()) {
      throw new InvalidComponentName(
          what, text, "Write it in snake case, with at most %d letters.".formatted(LENGTH_MAX));
    }
    return text;
  }

  private static void checkVersion(String text) {
    if (text.length() > LENGTH_MAX || !VERSION.matcher(text).matches()) {
      throw new InvalidComponentName(
          "version", text, "Write letters and digits, such as `2` or `1.4.0-rc1`.");
    }
  }
}
