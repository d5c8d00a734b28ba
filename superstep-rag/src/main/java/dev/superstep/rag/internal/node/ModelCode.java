package dev.superstep.rag.internal.node;

import dev.superstep.budget.Budget;
import dev.superstep.event.TextPiece;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.message.Conversations;
import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Fences;
import dev.superstep.model.StructuredCall;
import dev.superstep.model.ToolSpec;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.rag.error.RagError;
import dev.superstep.rag.internal.run.LimitItems;
import dev.superstep.rag.internal.run.Meter;
import dev.superstep.rag.internal.run.RunDefaults;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.rag.internal.value.BoundTypes.BoundType;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The code of a node of kind `model`: one call, whose reply is written and may choose a route.
/// Immutable.
///
/// @param tools what the model may ask for, where executors of tools follow the node
/// @param isStreamed whether pieces of the reply are published
public record ModelCode(
    Scene scene,
    String node,
    ChatModel model,
    Prompts prompts,
    Optional<BoundType> answer,
    Optional<String> into,
    List<ToolSpec> tools,
    Optional<Budget> limits,
    boolean isStreamed,
    NodeEnd end)
    implements NodeCode {
  public static final String TOOL_CALL = "tool_call";
  public static final String FINAL = "final";
  private static final Set<String> OUTCOMES = Set.of(TOOL_CALL, FINAL);
  private static final int SHOWN_MAX = 100;

  public static ModelCode of(
      NodeBlueprint node, Scene scene, ChatModel model, List<ToolSpec> tools, NodeEnd end) {
    return new ModelCode(
        scene,
        node.name(),
        model,
        Prompts.of(node, scene, true),
        node.answer().map(scene.types()::bound),
        node.into(),
        tools,
        LimitItems.budget(node.items(), scene),
        RunDefaults.isStreamed(scene.blueprint()),
        end);
  }

  @Override
  public NodeResult run(State state, @Nullable Object argument, NodeContext context)
      throws Exception {
    scene.meter().begin(state, context);
    var metered = scene.meter().model(model, context, limits, node);
    var said = prompts.said(state, argument);
    var conversation = new ArrayList<>(Conversations.complete(prompts.conversation(state)));
    conversation.addAll(said);
    if (conversation.isEmpty()) {
      throw new RagError("rag.nothing-to-say", "the node has nothing to say to its model");
    }
    if (answer.isPresent() && isStructured(answer.get())) {
      return typed(answer.get(), metered, instructed(state, conversation));
    }
    var reply = ask(metered.model(), ask(state, conversation), context);
    var update = written(reply, said);
    var spent = spent(update, metered);
    return end.isLabelled() ? end.of(spent, label(reply)) : end.of(spent);
  }

  private static boolean isStructured(BoundType type) {
    return type.of().filter(found -> found.isRecord() || found.isSealed()).isPresent();
  }

  private ChatReply ask(ChatModel asked, ChatRequest request, NodeContext context)
      throws InterruptedException {
    if (!isStreamed || !context.hasListeners()) return asked.call(request);
    var name = asked.ref().toString();
    return asked.stream(request, text -> context.emitText(new TextPiece("", name, 1, text)));
  }

  private ChatRequest ask(State state, List<Message> conversation) {
    return ChatRequest.of(instructed(state, conversation)).withTools(tools);
  }

  private List<Message> instructed(State state, List<Message> conversation) {
    var system = new ArrayList<String>();
    var own = prompts.instructions(state);
    if (!own.isBlank()) system.add(own);
    if (end.isLabelled() && !OUTCOMES.containsAll(end.labels()) && answer.isEmpty()) {
      system.add("Answer with one of these words alone: " + String.join(", ", end.labels()) + ".");
    }
    if (system.isEmpty()) return conversation;
    var all = new ArrayList<Message>();
    all.add(Message.system(String.join("\n\n", system)));
    all.addAll(conversation);
    return all;
  }

  private Update written(ChatReply reply, List<Message> said) {
    var structured =
        scene.conventions().structured(node, () -> json(value(reply.message().text())));
    if (into.isPresent()) {
      return structured.and(scene.write(into.get(), value(reply.message().text())));
    }
    var messages = scene.messages();
    if (messages.isEmpty()) return structured;
    var all = new ArrayList<Message>(said);
    all.add(reply.message());
    return structured.and(Update.all(messages.get(), all));
  }

  private static Json json(Object value) {
    return value instanceof Json json ? json : Json.of(value);
  }

  private Update spent(Update update, Meter.Metered metered) {
    var spend = metered.spend();
    return scene.meter().spent(update.and(scene.conventions().usage(node, spend)), spend, 0);
  }

  /// The value of a reply: text, unless the node says another type.
  private Object value(String text) {
    if (answer.isEmpty() || answer.get().name().name().equals("text")) return text;
    try {
      return answer.get().codec().encode(answer.get().read(Json.parse(Fences.strip(text))));
    } catch (MalformedJson e) {
      throw new RagError(
          "rag.wrong-answer",
          "the model should answer with `%s`, and said: %s"
              .formatted(answer.get().name(), cut(text)));
    }
  }

  private String label(ChatReply reply) {
    if (!reply.message().calls().isEmpty() && end.labels().contains(TOOL_CALL)) return TOOL_CALL;
    if (OUTCOMES.containsAll(end.labels())) return FINAL;
    return label(reply.message().text(), end.labels());
  }

  /// The label that a text means: the whole of it, or else the only one that it mentions.
  public static String label(String text, Set<String> labels) {
    var plain = plain(text);
    for (var label : labels) if (plain(label).equals(plain)) return label;
    var words = " " + plain + " ";
    var mentioned = labels.stream().filter(l -> words.contains(" " + plain(l) + " ")).toList();
    return mentioned.size() == 1 ? mentioned.getFirst() : cut(text);
  }

  private static String plain(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_]+", " ").strip();
  }

  public static String cut(String text) {
    var line = text.strip().replaceAll("\\s+", " ");
    return line.length() <= SHOWN_MAX ? line : line.substring(0, SHOWN_MAX) + "...";
  }

  private NodeResult typed(BoundType type, Meter.Metered metered, List<Message> conversation)
      throws InterruptedException {
    var call = StructuredCall.of(metered.model(), type.of().orElseThrow());
    var value = call.ask(conversation).value();
    var json = type.codec().encode(value);
    var update =
        into.map(channel -> scene.write(channel, json))
            .or(() -> scene.messages().map(m -> Update.of(m, Message.assistant(json.text()))))
            .orElse(new Update(List.of()));
    var spent = spent(update.and(scene.conventions().structured(node, () -> json)), metered);
    if (!end.isLabelled()) return end.of(spent);
    return end.of(spent, JsonFields.text(type.codec(), value, "route"));
  }
}
