package dev.superstep.spring.ai;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// Messages in both forms. What one form has no word for travels along, so that a message that goes
/// over and comes back is the same: ours whole as metadata of theirs, their metadata as a seal of
/// ours.
final class Conversations {
  static final String VENDOR = "spring-ai";

  /// The metadata with which models of Spring AI's return what they thought: so far, in a stream.
  static final String REASONING = "reasoningContent";

  /// Returns that of other models: in a stream, what came new.
  static final String THINKING = "thinking";

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String WHOLE = "superstep";
  private static final String NOTHING = "(nothing)";
  private static final Codec<Whole> WHOLE_CODEC = Codec.of(Whole.class);

  // Said elsewhere in a message or its response, or of no use to a model that gets it back.
  private static final Set<String> TRANSIENT =
      Set.of("messageType", "id", "role", "index", "finishReason", "refusal", "annotations");

  /// The messages that one message of Spring AI's cannot hold.
  record Whole(List<Content> content, List<ToolCall> calls, List<ToolMessage> answers) {}

  private Conversations() {}

  /// Messages in Spring AI's form. Answers of tools that follow each other are one message there.
  static List<org.springframework.ai.chat.messages.Message> toSpring(List<Message> messages) {
    var all = new ArrayList<org.springframework.ai.chat.messages.Message>();
    var answers = new ArrayList<ToolMessage>();
    for (var message : messages) {
      if (message instanceof ToolMessage answer) {
        answers.add(answer);
        continue;
      }
      flush(answers, all);
      switch (message) {
        case SystemMessage system -> {
          if (!system.text().isBlank()) {
            all.add(new org.springframework.ai.chat.messages.SystemMessage(system.text()));
          }
        }
        case UserMessage user -> all.add(toSpring(user));
        case AssistantMessage reply -> {
          if (!reply.isEmpty()) all.add(toSpring(reply));
        }
        case ToolMessage _ -> {}
      }
    }
    flush(answers, all);
    return all;
  }

  private static void flush(
      List<ToolMessage> answers, List<org.springframework.ai.chat.messages.Message> all) {
    if (answers.isEmpty()) return;
    var responses = new ArrayList<ToolResponseMessage.ToolResponse>();
    boolean isPlain = true;
    for (var answer : answers) {
      responses.add(
          new ToolResponseMessage.ToolResponse(
              answer.callId(), answer.tool(), Media.text(answer.content(), true)));
      isPlain &= !answer.error() && Media.isPlain(answer.content());
    }
    var kept = answers.stream().map(Conversations::withoutArtifact).toList();
    var metadata =
        isPlain ? Map.<String, Object>of() : whole(new Whole(List.of(), List.of(), kept));
    all.add(ToolResponseMessage.builder().responses(responses).metadata(metadata).build());
    answers.clear();
  }

  // What a tool made for the program is not for models.
  private static ToolMessage withoutArtifact(ToolMessage answer) {
    return new ToolMessage(
        "", answer.callId(), answer.tool(), answer.content(), answer.error(), Optional.empty());
  }

  private static org.springframework.ai.chat.messages.UserMessage toSpring(UserMessage user) {
    var text = Media.text(user.content(), false);
    var theirs =
        org.springframework.ai.chat.messages.UserMessage.builder()
            .text(text.isBlank() ? NOTHING : text)
            .media(Media.toSpring(user.content()));
    // Their form has the text before all media.
    boolean isKept = !Media.isPlain(user.content()) || text.isBlank();
    if (isKept) theirs.metadata(whole(new Whole(user.content(), List.of(), List.of())));
    return theirs.build();
  }

  /// Converts a model's message to Spring AI's form.
  static org.springframework.ai.chat.messages.AssistantMessage toSpring(AssistantMessage reply) {
    return org.springframework.ai.chat.messages.AssistantMessage.builder()
        .content(reply.text())
        .properties(properties(reply))
        .toolCalls(calls(reply))
        .build();
  }

  /// The end of a reply whose text has been told already.
  static org.springframework.ai.chat.messages.AssistantMessage ending(AssistantMessage reply) {
    return org.springframework.ai.chat.messages.AssistantMessage.builder()
        .content("")
        .properties(whole(new Whole(reply.content(), reply.calls(), List.of())))
        .toolCalls(calls(reply))
        .build();
  }

  private static List<org.springframework.ai.chat.messages.AssistantMessage.ToolCall> calls(
      AssistantMessage reply) {
    return reply.calls().stream()
        .map(call ->
            new org.springframework.ai.chat.messages.AssistantMessage.ToolCall(
                call.id(), "function", call.tool(), arguments(call)))
        .toList();
  }

  // Models of Spring AI's read the arguments, and fail if they are none.
  private static String arguments(ToolCall call) {
    return isObject(call)
        ? call.arguments()
        : JSON.createObjectNode().put("malformed", call.arguments()).toString();
  }

  private static boolean isObject(ToolCall call) {
    try {
      return JSON.readTree(call.arguments()).isObject();
    } catch (JacksonException _) {
      return false;
    }
  }

  private static Map<String, Object> properties(AssistantMessage reply) {
    var properties = new LinkedHashMap<String, Object>();
    if (!reply.thinking().isEmpty()) properties.put(REASONING, reply.thinking());
    boolean isPlain =
        reply.calls().stream().allMatch(call -> call.seal().isEmpty() && isObject(call));
    for (var part : reply.content()) {
      var seal =
          switch (part) {
            case Content.Thinking(_, var sealed) -> sealed;
            case Content.Extension(var sealed) -> Optional.of(sealed);
            default -> Optional.<Content.Seal>empty();
          };
      if (seal.isPresent() && seal.get().vendor().equals(VENDOR)) {
        properties.putAll(JSON.readValue(seal.get().data().text(), new TypeReference<>() {}));
        return properties;
      }
      isPlain &= part instanceof Content.Text;
    }
    if (!isPlain) {
      properties.putAll(whole(new Whole(reply.content(), reply.calls(), List.of())));
    }
    return properties;
  }

  private static Map<String, Object> whole(Whole kept) {
    return Map.of(WHOLE, WHOLE_CODEC.encode(kept).text());
  }

  private static Optional<Whole> whole(Map<String, Object> metadata) {
    return metadata.get(WHOLE) instanceof String kept
        ? Optional.of(WHOLE_CODEC.decode(Json.parse(kept)))
        : Optional.empty();
  }

  /// Messages of Spring AI's.
  static List<Message> fromSpring(List<org.springframework.ai.chat.messages.Message> messages) {
    var all = new ArrayList<Message>();
    for (var message : messages) {
      switch (message) {
        case org.springframework.ai.chat.messages.AssistantMessage said ->
            all.add(fromSpring(said));
        case ToolResponseMessage answered -> all.addAll(fromSpring(answered));
        case org.springframework.ai.chat.messages.UserMessage user -> all.add(fromSpring(user));
        default -> all.add(fromText(message));
      }
    }
    return all;
  }

  private static Message fromText(org.springframework.ai.chat.messages.Message message) {
    var text = Optional.ofNullable(message.getText()).orElse("");
    return switch (message.getMessageType()) {
      case SYSTEM -> Message.system(text);
      case USER -> Message.user(text);
      case ASSISTANT -> Message.assistant(text);
      case TOOL ->
          throw new IllegalArgumentException(
              "A message of type TOOL must be a ToolResponseMessage, was " + message.getClass());
    };
  }

  private static UserMessage fromSpring(org.springframework.ai.chat.messages.UserMessage user) {
    var kept = whole(user.getMetadata());
    if (kept.isPresent()) return new UserMessage("", kept.get().content());
    var content =
        new ArrayList<Content>(Content.of(Optional.ofNullable(user.getText()).orElse("")));
    for (var media : user.getMedia()) content.add(Media.fromSpring(media));
    return new UserMessage("", content);
  }

  private static List<ToolMessage> fromSpring(ToolResponseMessage answered) {
    var kept = whole(answered.getMetadata());
    if (kept.isPresent()) return kept.get().answers();
    return answered.getResponses().stream()
        .map(
            answer -> new ToolMessage("", answer.id(), answer.name(), answer.responseData(), false))
        .toList();
  }

  /// Converts a message from Spring AI's form.
  static AssistantMessage fromSpring(org.springframework.ai.chat.messages.AssistantMessage said) {
    var text = Optional.ofNullable(said.getText()).orElse("");
    return fromSpring(text, said);
  }

  /// Converts a message whose text came in pieces before.
  ///
  /// @param text all of it
  /// @param said has the calls and the metadata
  static AssistantMessage fromSpring(
      String text, org.springframework.ai.chat.messages.AssistantMessage said) {
    var metadata = said.getMetadata();
    var kept = whole(metadata);
    if (kept.isPresent()) {
      return new AssistantMessage("", kept.get().content(), kept.get().calls());
    }
    var content = new ArrayList<Content>();
    var seal = seal(metadata);
    var thought = thought(metadata);
    if (!thought.isBlank()) {
      content.add(new Content.Thinking(thought, seal));
    } else {
      seal.ifPresent(others -> content.add(new Content.Extension(others)));
    }
    content.addAll(Content.of(text));
    for (var media : said.getMedia()) content.add(Media.fromSpring(media));
    var calls = new ArrayList<ToolCall>();
    for (var call : said.getToolCalls()) {
      var id = Optional.ofNullable(call.id()).orElse("");
      var arguments = Optional.ofNullable(call.arguments()).orElse("");
      calls.add(
          new ToolCall(
              id.isBlank() ? "call_" + UUID.randomUUID() : id,
              call.name(),
              arguments.isBlank() ? "{}" : arguments));
    }
    return new AssistantMessage("", content, calls);
  }

  private static String thought(Map<String, Object> metadata) {
    for (var name : List.of(REASONING, THINKING)) {
      if (metadata.get(name) instanceof String thought && !thought.isBlank()) return thought;
    }
    return "";
  }

  // Such as a signature, which the vendor wants back. What is not JSON cannot be kept.
  private static Optional<Content.Seal> seal(Map<String, Object> metadata) {
    var kept = new LinkedHashMap<String, Object>();
    metadata.forEach((name, value) -> {
      boolean isKept = !TRANSIENT.contains(name) && value != null && !"".equals(value);
      if (isKept && !name.equals(REASONING) && !name.equals(THINKING)) kept.put(name, value);
    });
    if (kept.isEmpty()) return Optional.empty();
    try {
      return Optional.of(new Content.Seal(VENDOR, Json.unchecked(JSON.writeValueAsString(kept))));
    } catch (JacksonException _) {
      return Optional.empty();
    }
  }
}
