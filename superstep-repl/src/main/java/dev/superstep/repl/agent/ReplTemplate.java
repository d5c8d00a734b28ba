package dev.superstep.repl.agent;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The instructions of a model that works by cells, with places that each session fills in: the
/// language of its cells, how to work in it, what is granted, and its limits. Immutable.
///
/// ```java
/// ReplAgent.named("reader").template(ReplTemplate.ORCHESTRATOR)
/// ReplTemplate.of("You read contracts.\n{usage}\n{language}\n{capabilities}\n{limits}")
/// ```
public final class ReplTemplate {
  private static final List<String> PLACEHOLDERS =
      List.of("language", "usage", "capabilities", "limits");
  private static final Pattern PLACE = Pattern.compile("\\{\\{|}}|\\{([a-z_]+)}");
  private static final String END =
      """

      {usage}

      {language}

      {capabilities}

      {limits}
      """;

  /// For any task.
  public static final ReplTemplate GENERAL =
      preset("general", "You answer by working in a session.");

  /// For questions about a text that is far larger than what a model can read.
  public static final ReplTemplate CONTEXT_EXPLORER =
      preset(
          "context-explorer",
          """
          You answer questions about a text that is too long to be read, by exploring it in a \
          session. First find out how it is built: its length, its beginning, one or two places \
          further on. Then search before you read: grep for words of the question and for other \
          words of the same meaning, and look at what stands around the hits. Read slices, never \
          all of it. What a search cannot decide, such as what a passage means, ask a model about \
          that passage alone. Before you answer, look at the passages that the answer rests on.\
          """);

  /// For work that consists of parts, which others do.
  public static final ReplTemplate ORCHESTRATOR =
      preset(
          "orchestrator",
          """
          You lead work that others do, in a session. Cut the task into parts that can be done one \
          by one, and give each to whoever fits it: a tool, a model, an agent, or a session inside \
          for what is itself long. Give all parts that do not wait for each other in one batch. \
          Each part gets everything that it needs to know, since it knows nothing of the others. \
          Look at each result's `ok`, and give a part that failed once more. Join the results by \
          code, and check them against the task before you answer.\
          """);

  /// For weak models: functions with a fixed shape in place of free programs.
  public static final ReplTemplate COMBINATORS =
      preset(
          "combinators",
          """
          You answer by working in a session, in short cells. Do all work on the text with these \
          functions, and call models in no other way:
          1. parts = split(context, 4000), or context.chunks(50, by="lines")
          2. found = map_llm(parts, "... {{}} ...") asks the same of each part, which stands at {{}}
          3. kept = filter_llm(found, "Does this say ...?") keeps those that are answered by yes
          4. answer(reduce_llm(kept, "...")) makes one of them, a few at a time
          Write no loops around calls of models. estimate("map", parts) says what a step costs.\
          """);

  private final String name;
  private final String text;

  private ReplTemplate(String name, String text) {
    this.name = name;
    this.text = text;
  }

  private static ReplTemplate preset(String name, String beginning) {
    return new ReplTemplate(name, beginning + "\n" + END);
  }

  /// A template of one's own: `{language}`, `{usage}`, `{capabilities}` and `{limits}` are filled
  /// in, and each may be left out. `{}` is as it stands; `{{` and `}}` are single braces.
  ///
  /// @throws UnknownPlaceholder if another name stands in braces
  public static ReplTemplate of(String text) {
    var found = PLACE.matcher(text);
    while (found.find()) {
      var place = found.group(1);
      if (place != null && !PLACEHOLDERS.contains(place)) {
        throw new UnknownPlaceholder(place, PLACEHOLDERS);
      }
    }
    return new ReplTemplate("own", text);
  }

  /// The templates that come with the library.
  public static List<ReplTemplate> presets() {
    return List.of(GENERAL, CONTEXT_EXPLORER, ORCHESTRATOR, COMBINATORS);
  }

  /// A template of [#presets] by its name, such as `context-explorer`.
  public static Optional<ReplTemplate> named(String name) {
    return presets().stream().filter(each -> each.name.equals(name)).findFirst();
  }

  /// The name of a preset, or `own`.
  public String name() {
    return name;
  }

  /// The text with its places filled in.
  String filled(Map<String, String> values) {
    var out = new StringBuilder();
    var found = PLACE.matcher(text);
    while (found.find()) {
      var place = found.group(1);
      var value = place == null ? found.group().substring(1) : values.getOrDefault(place, "");
      found.appendReplacement(out, Matcher.quoteReplacement(value));
    }
    found.appendTail(out);
    return out.toString();
  }

  @Override
  public String toString() {
    return "ReplTemplate[" + name + "]";
  }
}
