package dev.superstep.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.VideoContent;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// Messages in both forms. What one form has no word for travels along, so that a message that goes
/// over and comes back is the same: our parts and seals as an attribute of theirs, their attributes
/// as a seal of ours.
final class Conversations {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String VENDOR = "langchain4j";
  private static final String ATTRIBUTE = "superstep";
  private static final String NOTHING = "(nothing)";
  private static final Codec<Kept> KEPT = Codec.of(Kept.class);

  /// The parts of an assistant's message that LangChain4j's message cannot hold.
  private record Kept(List<Content> content, List<ToolCall> calls) {}

  private Conversations() {}

  /// Messages that say something, as LangChain4j refuses others.
  static List<ChatMessage> toLangChain4j(List<Message> messages) {
    var all = new ArrayList<ChatMessage>();
    for (var message : messages) {
      boolean isSilent =
          switch (message) {
            case SystemMessage system -> system.text().isBlank();
            case AssistantMessage reply -> reply.isEmpty();
            case UserMessage _, ToolMessage _ -> false;
          };
      if (!isSilent) all.add(toLangChain4j(message));
    }
    return all;
  }

  private static ChatMessage toLangChain4j(Message message) {
    return switch (message) {
      case SystemMessage system -> dev.langchain4j.data.message.SystemMessage.from(system.text());
      case UserMessage user -> dev.langchain4j.data.message.UserMessage.from(parts(user));
      case AssistantMessage reply -> toLangChain4j(reply);
      case ToolMessage answer ->
          ToolExecutionResultMessage.builder()
              .id(answer.callId())
              .toolName(answer.tool())
              .contents(parts(answer))
              .isError(answer.error())
              .build();
    };
  }

  /// Converts a model's message to LangChain4j's form.
  static AiMessage toLangChain4j(AssistantMessage reply) {
    var theirs = AiMessage.builder();
    if (!reply.text().isEmpty()) theirs.text(reply.text());
    if (!reply.thinking().isEmpty()) theirs.thinking(reply.thinking());
    theirs.toolExecutionRequests(
        reply.calls().stream()
            .map(call ->
                ToolExecutionRequest.builder()
                    .id(call.id())
                    .name(call.tool())
                    .arguments(call.arguments())
                    .build())
            .toList());
    return theirs.attributes(attributes(reply)).build();
  }

  private static Map<String, Object> attributes(AssistantMessage reply) {
    for (var part : reply.content()) {
      if (seal(part) instanceof Content.Seal(var vendor, var data) && vendor.equals(VENDOR)) {
        return JSON.readValue(data.text(), new TypeReference<>() {});
      }
    }
    boolean isPlain =
        reply.content().stream().allMatch(Content.Text.class::isInstance)
            && reply.calls().stream().allMatch(call -> call.seal().isEmpty());
    if (isPlain) return Map.of();
    return Map.of(ATTRIBUTE, KEPT.encode(new Kept(reply.content(), reply.calls())).text());
  }

  private static Content.@Nullable Seal seal(Content part) {
    return switch (part) {
      case Content.Thinking(_, var seal) -> seal.orElse(null);
      case Content.Extension(var seal) -> seal;
      case Content.Text _, Content.Data _, Content.Image _, Content.ImageLink _ -> null;
      case Content.File _, Content.FileLink _ -> null;
    };
  }

  private static List<dev.langchain4j.data.message.Content> parts(Message message) {
    var parts = new ArrayList<dev.langchain4j.data.message.Content>();
    for (var part : message.content()) {
      switch (part) {
        case Content.Text(var text) -> {
          if (!text.isBlank()) parts.add(TextContent.from(text));
        }
        case Content.Data(var json) -> parts.add(TextContent.from(json.text()));
        case Content.Image(var type, var base64) -> parts.add(ImageContent.from(base64, type));
        case Content.ImageLink(var url) -> parts.add(ImageContent.from(url));
        case Content.File(var type, var base64, _) -> parts.add(file(type, base64));
        case Content.FileLink(var type, var url) -> parts.add(file(type, url));
        case Content.Thinking _, Content.Extension _ -> {}
      }
    }
    if (parts.isEmpty()) parts.add(TextContent.from(NOTHING));
    return parts;
  }

  private static dev.langchain4j.data.message.Content file(String type, String base64) {
    if (type.startsWith("audio/")) return AudioContent.from(base64, type);
    if (type.startsWith("video/")) return VideoContent.from(base64, type);
    return PdfFileContent.from(base64, type);
  }

  private static dev.langchain4j.data.message.Content file(String type, URI url) {
    if (type.startsWith("audio/")) return AudioContent.from(url);
    if (type.startsWith("video/")) return VideoContent.from(url);
    return PdfFileContent.from(url);
  }

  /// Messages of LangChain4j's.
  static List<Message> fromLangChain4j(List<ChatMessage> messages) {
    return messages.stream().map(Conversations::fromLangChain4j).toList();
  }

  private static Message fromLangChain4j(ChatMessage message) {
    return switch (message) {
      case dev.langchain4j.data.message.SystemMessage system -> Message.system(system.text());
      case dev.langchain4j.data.message.UserMessage user ->
          new UserMessage("", content(user.contents()));
      case AiMessage said -> fromLangChain4j(said);
      case ToolExecutionResultMessage answer ->
          new ToolMessage(
              "",
              answer.id(),
              answer.toolName(),
              content(answer.contents()),
              Boolean.TRUE.equals(answer.isError()),
              Optional.empty());
      default ->
          throw new UnsupportedFeatureException(
              "Superstep has no message of type " + message.type() + ".");
    };
  }

  /// Converts a message from LangChain4j's form.
  static AssistantMessage fromLangChain4j(AiMessage said) {
    if (said.attributes().get(ATTRIBUTE) instanceof String kept) {
      var whole = KEPT.decode(Json.parse(kept));
      return new AssistantMessage("", whole.content(), whole.calls());
    }
    var content = new ArrayList<Content>();
    var seal = seal(said.attributes());
    var thinking = said.thinking();
    if (thinking != null && !thinking.isEmpty()) {
      content.add(new Content.Thinking(thinking, seal));
    } else {
      seal.ifPresent(attributes -> content.add(new Content.Extension(attributes)));
    }
    var text = said.text();
    if (text != null) content.addAll(Content.of(text));
    return new AssistantMessage("", content, calls(said));
  }

  private static List<ToolCall> calls(AiMessage said) {
    var calls = new ArrayList<ToolCall>();
    for (var call : said.toolExecutionRequests()) {
      var id = call.id();
      var arguments = call.arguments();
      calls.add(
          new ToolCall(
              id == null || id.isBlank() ? "call_" + UUID.randomUUID() : id,
              call.name(),
              arguments == null || arguments.isBlank() ? "{}" : arguments));
    }
    return calls;
  }

  // What is not JSON cannot be kept.
  private static Optional<Content.Seal> seal(Map<String, Object> attributes) {
    if (attributes.isEmpty()) return Optional.empty();
    try {
      var data = Json.unchecked(JSON.writeValueAsString(attributes));
      return Optional.of(new Content.Seal(VENDOR, data));
    } catch (JacksonException _) {
      return Optional.empty();
    }
  }

  private static List<Content> content(List<dev.langchain4j.data.message.Content> parts) {
    var content = new ArrayList<Content>();
    for (var part : parts) {
      switch (part) {
        case TextContent text -> content.add(new Content.Text(text.text()));
        case ImageContent image -> content.add(picture(image.image()));
        case PdfFileContent file -> {
          var pdf = file.pdfFile();
          content.add(file(type(pdf.mimeType(), "application/pdf"), pdf.base64Data(), pdf.url()));
        }
        case AudioContent file -> {
          var audio = file.audio();
          content.add(file(type(audio.mimeType(), "audio/wav"), audio.base64Data(), audio.url()));
        }
        case VideoContent file -> {
          var video = file.video();
          content.add(file(type(video.mimeType(), "video/mp4"), video.base64Data(), video.url()));
        }
        default ->
            throw new UnsupportedFeatureException(
                "Superstep has no content of type " + part.type() + ".");
      }
    }
    return content;
  }

  private static String type(@Nullable String told, String usual) {
    return told == null || told.isBlank() ? usual : told;
  }

  private static Content file(String type, @Nullable String base64, @Nullable URI url) {
    return url == null || base64 != null
        ? new Content.File(type, String.valueOf(base64))
        : new Content.FileLink(type, url);
  }

  private static Content picture(Image image) {
    URI url = image.url();
    return url == null
        ? new Content.Image(image.mimeType(), image.base64Data())
        : new Content.ImageLink(url);
  }
}
