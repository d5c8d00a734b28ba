package dev.superstep.language.blueprint;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The type of a value: `text`, `int`, `decimal`, `bool`, `json`, a list of a type, or the name of
/// a registered type. Immutable.
///
/// @param name `list` for a list
/// @param element the type of the elements, for a list alone
public record TypeName(String name, Optional<TypeName> element) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.:$-]{0,199}");
  private static final int DEPTH_MAX = 8;

  /// The types that need no registration.
  public static final List<String> BUILT_IN = List.of("text", "int", "decimal", "bool", "json");

  public static final TypeName TEXT = of("text");
  public static final TypeName INT = of("int");
  public static final TypeName JSON = of("json");

  public TypeName {
    if (element.isEmpty() && !isName(name)) {
      throw new IllegalArgumentException("`" + name + "` is no type");
    }
    if (element.isPresent() && !name.equals("list")) {
      throw new IllegalArgumentException("only a list has elements, not `" + name + "`");
    }
    int depth = 0;
    for (var at = element; at.isPresent(); at = at.get().element()) {
      if (++depth > DEPTH_MAX) throw new IllegalArgumentException("lists are nested too deep");
    }
  }

  /// A type by its name.
  public static TypeName of(String name) {
    return new TypeName(name, Optional.empty());
  }

  /// A list of a type.
  public static TypeName listOf(TypeName element) {
    return new TypeName("list", Optional.of(element));
  }

  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /// Returns whether the name, or that of the innermost element, must be registered.
  public boolean isRegistered() {
    return element.map(TypeName::isRegistered).orElse(!BUILT_IN.contains(name));
  }

  /// The name of the type itself, or of the innermost element.
  public String innermost() {
    return element.map(TypeName::innermost).orElse(name);
  }

  /// Reads what [#toString] wrote.
  ///
  /// @throws IllegalArgumentException if it is no type
  public static TypeName parse(String text) {
    if (text.length() > 1_000) throw new IllegalArgumentException("a type is too long");
    return text.startsWith("list<") && text.endsWith(">")
        ? listOf(parse(text.substring(5, text.length() - 1)))
        : of(text);
  }

  /// The type as it is written, such as `list<text>`.
  @Override
  public String toString() {
    return element.map(inner -> "list<" + inner + ">").orElse(name);
  }
}
