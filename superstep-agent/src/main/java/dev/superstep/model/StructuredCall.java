package dev.superstep.model;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.Message;
import dev.superstep.schema.JsonSchema;
import dev.superstep.schema.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Asks a model for one value of a Java type. The answer is checked against the schema of the type,
/// whatever the model promises; an answer that fails is sent back with its violations, a set number
/// of times.
///
/// Immutable, safe for many threads; the `with` methods return changed copies.
public final class StructuredCall<T> {
  private static final int EXCERPT_MAX = 300;

  private static final int PAUSES_MAX = 16;

  private final ChatModel model;
  private final Form<T> form;
  private final int repairTurns;
  private final UnaryOperator<ChatRequest> request;

  /// The form of an answer.
  private record Form<T>(String name, Codec<T> codec, JsonSchema schema) {
    static <T> Form<T> of(Class<T> type) {
      return new Form<>(type.getSimpleName(), Codec.of(type), JsonSchema.of(type));
    }
  }

  private StructuredCall(
      ChatModel model, Form<T> form, int repairTurns, UnaryOperator<ChatRequest> request) {
    this.model = model;
    this.form = form;
    this.repairTurns = repairTurns;
    this.request = request;
  }

  /// A call for a record, or for a sealed interface over records; with one repair turn.
  ///
  /// @throws dev.superstep.json.UnsupportedType if the type has no codec
  public static <T> StructuredCall<T> of(ChatModel model, Class<T> type) {
    if (!type.isRecord() && !type.isSealed()) {
      throw new IllegalArgumentException(
          "type must be a record or a sealed interface, was "
              + type.getName()
              + "; models answer with objects, so wrap it in a record");
    }
    return new StructuredCall<>(model, Form.of(type), 1, UnaryOperator.identity());
  }

  /// Asks another model: inside a node, a [DurableModel] that wraps this one.
  public StructuredCall<T> withModel(ChatModel other) {
    return new StructuredCall<>(other, form, repairTurns, request);
  }

  /// Sets the number of times that an invalid answer is sent back; 1 unless set.
  public StructuredCall<T> withRepairTurns(int turns) {
    if (turns < 0) throw new IllegalArgumentException("turns must be 0 or more, was " + turns);
    return new StructuredCall<>(model, form, turns, request);
  }

  /// Changes each request before it is sent, such as `r -> r.withTemperature(0)`. The response
  /// format is set afterwards.
  public StructuredCall<T> withRequest(UnaryOperator<ChatRequest> change) {
    return new StructuredCall<>(model, form, repairTurns, change);
  }

  /// The schema that the model is given.
  public JsonSchema schema() {
    return form.schema();
  }

  /// Asks a question without a history.
  ///
  /// @throws ModelException MALFORMED if the last answer is still invalid, cut off or empty
  /// @throws InterruptedException if the calling thread is interrupted
  public StructuredReply<T> ask(String question) throws InterruptedException {
    return ask(List.of(Message.user(question)));
  }

  /// Asks at the end of a conversation.
  ///
  /// @throws ModelException MALFORMED if the last answer is still invalid, cut off or empty
  /// @throws InterruptedException if the calling thread is interrupted
  public StructuredReply<T> ask(List<? extends Message> messages) throws InterruptedException {
    var conversation = new ArrayList<Message>(messages);
    var usage = Usage.NONE;
    int pauses = 0;
    for (int turn = 1; ; turn++) {
      var reply = model.call(request(conversation));
      usage = usage.plus(reply.usage());
      if (reply.isPaused() && pauses < PAUSES_MAX) {
        pauses++;
        conversation.add(reply.message());
        continue;
      }
      switch (read(reply)) {
        case Read.Good<T>(var value) -> {
          return new StructuredReply<>(value, usage, turn, reply.model(), reply.source());
        }
        case Read.Bad<T>(var problems) -> {
          if (turn - pauses > repairTurns) throw malformed(reply, problems, turn);
          conversation.addAll(repair(reply, problems));
        }
      }
    }
  }

  private ChatRequest request(List<Message> messages) {
    var format = new ResponseFormat.JsonSchema(form.name(), form.schema().json());
    return request.apply(ChatRequest.of(messages)).withFormat(format);
  }

  private sealed interface Read<T> {
    record Good<T>(T value) implements Read<T> {}

    record Bad<T>(List<String> problems) implements Read<T> {}
  }

  private Read<T> read(ChatReply reply) {
    var text = Fences.strip(reply.message().text());
    if (reply.finish() == ChatReply.Finish.FILTERED) {
      throw new ModelException(
          ModelException.Kind.REFUSED,
          reply.model() + " was stopped by its vendor's filter. Rephrase the request.");
    }
    var read = text.isEmpty() ? bad("The answer was empty.") : parse(text);
    if (read instanceof Read.Bad<T> && reply.finish() == ChatReply.Finish.LENGTH) {
      throw cutOff(reply);
    }
    return read;
  }

  private Read<T> parse(String text) {
    try {
      var json = Json.parse(text);
      var violations = form.schema().check(json);
      if (!violations.isEmpty()) {
        return new Read.Bad<>(violations.stream().map(Violation::sentence).toList());
      }
      return new Read.Good<>(form.codec().decode(json));
    } catch (MalformedJson e) {
      return bad(String.valueOf(e.getMessage()));
    }
  }

  private Read<T> bad(String problem) {
    return new Read.Bad<>(List.of(problem));
  }

  /// The invalid answer and a request for a better one. An empty answer is left out: vendors refuse
  /// a conversation that holds one.
  private List<Message> repair(ChatReply reply, List<String> problems) {
    var ask =
        Message.user(
            "Your answer does not have the form that was asked for:\n- "
                + String.join("\n- ", problems)
                + "\nAnswer again, with the corrected JSON only.");
    var said = reply.message().text();
    return said.isBlank() ? List.of(ask) : List.of(Message.assistant(said), ask);
  }

  private ModelException malformed(ChatReply reply, List<String> problems, int turns) {
    var text = reply.message().text();
    return new ModelException(
        ModelException.Kind.MALFORMED,
        "%s gave no valid %s in %d %s. %s%s"
            .formatted(
                reply.model(),
                form.name(),
                turns,
                turns == 1 ? "turn" : "turns",
                String.join(" ", problems),
                text.isBlank() ? "" : " It said: " + Excerpts.of(text, EXCERPT_MAX)));
  }

  private ModelException cutOff(ChatReply reply) {
    return new ModelException(
        ModelException.Kind.MALFORMED,
        """
        %s was cut off at its token limit after %d tokens, before its %s was complete. \
        Raise maxTokens, or set @Limits on the texts and lists of %s. It said: %s\
        """
            .formatted(
                reply.model(),
                reply.usage().output(),
                form.name(),
                form.name(),
                Excerpts.of(reply.message().text(), EXCERPT_MAX)));
  }

  @Override
  public String toString() {
    return "StructuredCall[" + model.ref() + "]";
  }
}
