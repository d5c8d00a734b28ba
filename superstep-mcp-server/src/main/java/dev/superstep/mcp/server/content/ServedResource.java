package dev.superstep.mcp.server.content;

import dev.superstep.message.Content;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/// A resource that clients may read, or a template of many. Immutable.
///
/// ```java
/// ServedResource.of("notes://today", "today", "text/plain", _ -> Content.of(notes.today()))
/// ServedResource.template("notes://{day}", "day", "text/plain", parts -> notes(parts.get("day")))
/// ```
///
/// @param uri of it; in a template, parts in braces stand for text without a slash
/// @param name for programs
/// @param description for people and models; may be empty
/// @param mediaType of its contents
/// @param isTemplate whether the URI has parts in braces
/// @param reader gets the values of those parts; texts, JSON, pictures and files are sent
/// @param completions by the names of those parts: given what was typed, what it may become
public record ServedResource(
    String uri,
    String name,
    String description,
    String mediaType,
    boolean isTemplate,
    Reader reader,
    Map<String, Function<String, List<String>>> completions) {
  private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:\\S{1,2000}");

  public ServedResource {
    if (!URI.matcher(uri).matches()) {
      throw new IllegalArgumentException("uri must be absolute, was `" + uri + "`");
    }
    completions = Map.copyOf(completions);
  }

  /// Reads the contents of a resource.
  @FunctionalInterface
  public interface Reader {
    /// Reads them. An exception is told to the client as a failure without its message.
    List<Content> read(Map<String, String> parts) throws Exception;
  }

  /// A single resource.
  public static ServedResource of(String uri, String name, String mediaType, Reader reader) {
    return new ServedResource(uri, name, "", mediaType, false, reader, Map.of());
  }

  /// A template of resources.
  public static ServedResource template(String uri, String name, String mediaType, Reader reader) {
    return new ServedResource(uri, name, "", mediaType, true, reader, Map.of());
  }

  /// Returns a copy with a description.
  public ServedResource describedAs(String text) {
    return new ServedResource(uri, name, text, mediaType, isTemplate, reader, completions);
  }

  /// Returns a copy that completes what was typed for a part.
  public ServedResource completing(String part, Function<String, List<String>> values) {
    var all = new java.util.HashMap<>(completions);
    all.put(part, values);
    return new ServedResource(uri, name, description, mediaType, isTemplate, reader, all);
  }
}
