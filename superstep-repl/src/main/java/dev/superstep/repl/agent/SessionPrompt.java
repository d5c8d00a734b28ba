package dev.superstep.repl.agent;

import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.internal.call.SessionAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The values of a [ReplTemplate], made of what is granted and of the limits.
final class SessionPrompt {
  private static final String COMBINATORS =
      """
      For work on many pieces prefer the functions whose cost is known before they start: \
      split(text, size), map_llm(items, prompt), filter_llm(items, question), \
      reduce_llm(items, prompt), cross(a, b), and estimate(step, items) for the number of calls. \
      In a prompt, {} is the place of the item.
      """;

  private static final String WRITING =
      """
      You may write graphs: d = graph_define(name, source=...), graph_validate(d) for a list of \
      findings, g = graph_compile(d), graph_register(name, graph=g), which a person must approve, \
      then graph_run(name, input).
      """;

  private SessionPrompt() {}

  /// The instructions of a session.
  ///
  /// @param more is added at their end
  static String of(SessionAccess access, ReplTemplate template, String more) {
    var text =
        template.filled(
            Map.of(
                "language", access.backend().language(),
                "usage", usage(access),
                "capabilities", capabilities(access),
                "limits", limits(access)));
    return more.isBlank() ? text : text.stripTrailing() + "\n\n" + more + "\n";
  }

  private static String capabilities(SessionAccess access) {
    var text = new StringBuilder("Functions:\n");
    for (var function : access.functions(new LiveSession(access, TextSource.of("")))) {
      if (!isAlias(function)) text.append("- ").append(function.signature()).append('\n');
    }
    text.append("- answer(value), show_vars(), budget()\n");
    var grants = access.grants();
    if (!grants.models().isEmpty()) {
      text.append('\n').append(COMBINATORS);
      text.append("Models: ").append(String.join(", ", grants.models().keySet())).append(".\n");
    }
    var tools = new ArrayList<String>();
    grants
        .tools()
        .forEach((name, tool) ->
            tools.add(
                "- %s: %s Arguments: %s"
                    .formatted(name, tool.spec().description(), tool.spec().parameters().text())));
    list("Tools", tools, text);
    list("Agents", names(grants.agents()), text);
    list("Graphs", names(grants.graphs()), text);
    list("Stores", names(grants.stores()), text);
    if (grants.language().isPresent()) text.append('\n').append(WRITING);
    return text.toString().stripTrailing();
  }

  private static String usage(SessionAccess access) {
    return """
    Reply with one fenced block of code; it runs, and you are told what it printed. Variables \
    stay from cell to cell. When you know the answer, call answer(value) in a cell; the value may \
    be longer than anything you could write yourself. `context` is the text that the question is \
    about, perhaps far larger than you can read: len(context), context[a:b], context.lines(), \
    context.chunks(size, by="chars"), context.grep(pattern, before=0, after=0), context.find(x), \
    context.head(n), context.tail(n). Print little: you see at most %,d characters of each cell's \
    output. Keep results in variables.\
    """
        .formatted(access.policy().outputShown());
  }

  private static String limits(SessionAccess access) {
    var most = access.limits();
    return "Limits: %d cells, %d model calls, %d tool calls, %d agent calls, %d graph runs."
            .formatted(most.turns(), most.models(), most.tools(), most.agents(), most.graphs())
        + "\nErrors of calls can be caught with `except HostError as e`; limits cannot.";
  }

  private static boolean isAlias(HostFunction function) {
    return switch (function.signature().name()) {
      case "model_query",
          "llm",
          "llm_query_batched",
          "model_query_batched",
          "tool_call",
          "tool_call_batched",
          "agent_query",
          "agent_query_batched",
          "repl_query",
          "rlm_query_batched",
          "graph_run_batched" ->
          true;
      default -> false;
    };
  }

  private static List<String> names(Map<String, ?> granted) {
    return granted.keySet().stream().map(name -> "- " + name).toList();
  }

  private static void list(String title, List<String> lines, StringBuilder text) {
    if (lines.isEmpty()) return;
    text.append('\n').append(title).append(":\n");
    text.append(lines.stream().collect(Collectors.joining("\n"))).append('\n');
  }

  /// The line about the text in front of the first question.
  static String about(TextSource text) {
    return "`context` is a text of %,d characters.\n\n".formatted(text.length());
  }
}
