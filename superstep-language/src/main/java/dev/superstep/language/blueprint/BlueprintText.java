package dev.superstep.language.blueprint;

import dev.superstep.language.Source;
import dev.superstep.language.rag.Durations;
import dev.superstep.language.rag.Formatter;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Shape;
import dev.superstep.language.rag.StringLiterals;
import dev.superstep.language.rag.SyntaxLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes blueprints as `.rag` text. Reading that text gives an equal blueprint, but for its
/// provenance.
public final class BlueprintText {
  private static final String INDENT = "  ";

  private final StringBuilder out = new StringBuilder();

  private BlueprintText() {}

  /// The text of one graph.
  public static String of(Blueprint blueprint) {
    return of(List.of(blueprint));
  }

  /// The text of several graphs.
  public static String of(List<Blueprint> blueprints) {
    var writer = new BlueprintText();
    var before = "";
    for (var blueprint : blueprints) {
      writer.out.append(before);
      writer.graph(blueprint);
      before = "\n";
    }
    return formatted(writer.out.toString());
  }

  private static String formatted(String text) {
    return Formatter.format(Source.of("", text), SyntaxLimits.lifted()).orElse(text);
  }

  /// The value of one item as it is written behind its keyword.
  public static String item(Item item, Value value) {
    var writer = new BlueprintText();
    writer.item(item, value, "");
    return writer.out.substring(item.word().length()).strip();
  }

  /// The text of one node.
  public static String node(NodeBlueprint node) {
    var writer = new BlueprintText();
    writer.out.append("{\n");
    writer.write(node);
    return writer.out.substring(2).stripTrailing().stripIndent();
  }

  private void graph(Blueprint graph) {
    out.append("graph ").append(Written.name(graph.graph())).append(" {\n");
    items(graph.items(), INDENT, Item.START);
    graph
        .allow()
        .forEach((kind, names) -> line("allow " + kind.word() + " " + Written.strings(names)));
    for (var channel : graph.channels()) line(channel(channel));
    graph
        .items()
        .find(Item.START)
        .ifPresent(start -> {
          gap();
          item(Item.START, start, INDENT);
        });
    for (var node : graph.nodes()) write(node);
    if (!graph.edges().isEmpty()) gap();
    for (var edge : graph.edges()) line(edge(edge));
    out.append("}\n");
  }

  private void line(String text) {
    out.append(INDENT).append(text).append('\n');
  }

  private void gap() {
    if (out.charAt(out.length() - 2) != '{') out.append('\n');
  }

  private void write(NodeBlueprint node) {
    gap();
    out.append(INDENT).append("node ").append(Written.name(node.name())).append(" {");
    if (node.items().isEmpty()) out.append("}\n");
    else {
      out.append('\n');
      items(node.items(), INDENT + INDENT, null);
      out.append(INDENT).append("}\n");
    }
  }

  private void items(Items items, String indent, @Nullable Item without) {
    items
        .values()
        .forEach((item, value) -> {
          if (item != without) item(item, value, indent);
        });
  }

  private void item(Item item, Value value, String indent) {
    out.append(indent).append(item.word());
    switch (value) {
      case Value.Flag() -> {}
      case Value.Block(_, var inner) -> {
        out.append(" {\n");
        items(inner, indent + INDENT, null);
        out.append(indent).append('}');
      }
      case Value.Routes(var routes) ->
          lines(routes.stream().map(BlueprintText::route).toList(), indent, "{", "}", "");
      case Value.Sends(var sends) ->
          lines(sends.stream().map(BlueprintText::send).toList(), indent, "[", "]", ",");
      case Value.Names(var names) when item.shape() == Shape.TARGETS ->
          out.append(' ').append(Written.targets(names));
      default -> out.append(' ').append(value(value, indent));
    }
    out.append('\n');
  }

  /// Writes entries in one line if they fit, else one to a line.
  private void lines(List<String> all, String indent, String open, String close, String comma) {
    var one =
        all.isEmpty() ? open + close : open + " " + String.join(comma + "  ", all) + " " + close;
    if (Written.fits(indent + one)) {
      out.append(' ').append(one);
      return;
    }
    out.append(' ').append(open).append('\n');
    for (var each : all) out.append(indent).append(INDENT).append(each).append(comma).append('\n');
    out.append(indent).append(close);
  }

  private static String value(Value value, String indent) {
    return switch (value) {
      case Value.Word(var word) -> word;
      case Value.Text(var text) -> StringLiterals.write(text);
      case Value.Texts(var texts) -> Written.strings(texts);
      case Value.Name(var name) -> Written.name(name);
      case Value.Names(var names) -> Written.names(names);
      case Value.Count(var count) -> String.valueOf(count);
      case Value.Time(var duration) -> Durations.write(duration);
      case Value.Fields(var values) -> Written.object(values);
      case Value.Prompt(var text, var isTemplate) ->
          isTemplate
              ? "template " + StringLiterals.write(text)
              : StringLiterals.write(text, indent + INDENT);
      case Value.Type(var type) -> Written.type(type);
      case Value.TypedFields(var fields) -> fields(fields);
      case Value.Router(var name, var isMany) ->
          (isMany ? "many " : "") + StringLiterals.write(name);
      case Value.FanOut(var router, var to) ->
          StringLiterals.write(router) + " -> " + Written.names(to);
      case Value.Command command -> command(command);
      case Value.Steering steering -> steering(steering);
      case Value.OnFailure handling -> onFailure(handling);
      case Value.Rate(var times, var per) -> times + " per " + Durations.write(per);
      case Value.Sources(var needs, var nodes) -> needs(needs) + Written.names(nodes);
      case Value.Flag _, Value.Block _, Value.Routes _, Value.Sends _ ->
          throw new IllegalStateException("written line by line");
    };
  }

  private static String route(Value.Route route) {
    return route.label().isEmpty()
        ? Written.name(route.to())
        : Written.name(route.label()) + " -> " + Written.name(route.to());
  }

  private static String send(Value.Send send) {
    return "send " + Written.name(send.to()) + " " + StringLiterals.write(send.mapping());
  }

  private static String fields(List<Value.Field> fields) {
    if (fields.isEmpty()) return "{}";
    var text = new StringBuilder("{");
    for (var field : fields) {
      text.append(' ').append(Written.name(field.name()));
      text.append(": ").append(Written.type(field.type())).append(field.isOptional() ? "?" : "");
    }
    return text.append(" }").toString();
  }

  private static String command(Value.Command command) {
    var text = new StringBuilder("{");
    command.target().ifPresent(target -> text.append(" goto ").append(Written.name(target)));
    if (!command.update().isEmpty()) {
      text.append(" update ").append(Written.object(command.update()));
    }
    return text.append(" }").toString();
  }

  private static String steering(Value.Steering steering) {
    var text = new StringBuilder("{");
    steering
        .allowed()
        .forEach((actor, commands) ->
            text.append(' ').append(actor).append(" allow ").append(Written.strings(commands)));
    if (!steering.delivery().isEmpty()) {
      text.append(" delivery ").append(StringLiterals.write(steering.delivery()));
    }
    return text.append(" }").toString();
  }

  private static String onFailure(Value.OnFailure handling) {
    var text = new StringBuilder(handling.then());
    handling.to().ifPresent(to -> text.append(' ').append(Written.name(to)));
    if (handling.then().equals("fallback")) {
      text.append(' ').append(Written.object(handling.update()));
    }
    handling.record().ifPresent(channel -> text.append(" record ").append(Written.name(channel)));
    return text.toString();
  }

  private static String needs(int needs) {
    return switch (needs) {
      case 0 -> "";
      case 1 -> "any ";
      default -> needs + " of ";
    };
  }

  /// The line of one channel.
  public static String channel(ChannelBlueprint channel) {
    var text = new StringBuilder("channel ").append(Written.name(channel.name()));
    text.append(' ').append(channel.reducer());
    for (var argument : channel.arguments()) text.append(' ').append(Written.literal(argument));
    channel.type().ifPresent(type -> text.append(" of ").append(Written.type(type)));
    for (var cut : channel.cuts()) {
      text.append(' ').append(cut.word());
      for (var argument : cut.arguments()) text.append(' ').append(Written.literal(argument));
    }
    return text.toString();
  }

  /// The line of one edge, join or trigger.
  public static String edge(Edge edge) {
    return switch (edge) {
      case Edge.Direct(var from, var to) -> Written.name(from) + " -> " + Written.name(to);
      case Edge.Join(var needs, var from, var to) ->
          "join " + needs(needs) + Written.names(from) + " -> " + Written.name(to);
      case Edge.Trigger(var channels, var to) ->
          "trigger " + Written.names(channels) + " -> " + Written.name(to);
    };
  }
}
