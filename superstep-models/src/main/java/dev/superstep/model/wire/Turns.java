package dev.superstep.model.wire;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Conversations as vendors take them.
final class Turns {
  private static final JsonMapper JSON = JsonMapper.shared();

  private static final Pattern CALL_ID = Pattern.compile("[a-zA-Z0-9_-]+");
  private static final int CALL_DIGEST = 24;

  /// The text of a turn without words, which vendors refuse.
  static final String NOTHING = "(nothing)";

  private Turns() {}

  /// The turns that have content. Vendors refuse empty ones, and require at least one that is not
  /// the system's.
  static List<Message> of(List<Message> messages) {
    var turns = new ArrayList<Message>(messages.size() + 1);
    boolean isAddressed = false;
    for (var message : messages) {
      if (isSilent(message)) continue;
      turns.add(message);
      isAddressed |= !(message instanceof SystemMessage);
    }
    if (!isAddressed) turns.add(Message.user(NOTHING));
    return turns;
  }

  /// The turns for protocols in which tools answer with text only: the pictures follow in a user
  /// turn, after all answers of a batch.
  static List<Message> withPicturesApart(List<Message> messages) {
    var turns = new ArrayList<Message>();
    var pictures = new ArrayList<Content>();
    for (var message : of(messages)) {
      if (message instanceof ToolMessage answer) {
        addPictures(answer, pictures);
      } else if (!pictures.isEmpty()) {
        turns.add(new UserMessage("", pictures));
        pictures.clear();
      }
      turns.add(message);
    }
    if (!pictures.isEmpty()) turns.add(new UserMessage("", pictures));
    return turns;
  }

  private static void addPictures(ToolMessage answer, List<Content> pictures) {
    var some = new ArrayList<Content>();
    for (var part : answer.content()) if (isPicture(part)) some.add(part);
    if (some.isEmpty()) return;
    pictures.add(new Content.Text("From the tool `%s`:".formatted(answer.tool())));
    pictures.addAll(some);
  }

  private static boolean isPicture(Content part) {
    return switch (part) {
      case Content.Image _, Content.ImageLink _, Content.File _, Content.FileLink _ -> true;
      case Content.Text _, Content.Data _, Content.Thinking _, Content.Extension _ -> false;
    };
  }

  private static boolean isSilent(Message message) {
    return switch (message) {
      case SystemMessage system -> system.text().isBlank();
      case AssistantMessage reply -> reply.isEmpty();
      case UserMessage _, ToolMessage _ -> false;
    };
  }

  /// Returns whether the vendor receives nothing but text of this message.
  static boolean isText(Message message, String vendor) {
    for (var part : message.content()) if (!isText(part, vendor)) return false;
    return true;
  }

  private static boolean isText(Content part, String vendor) {
    return switch (part) {
      case Content.Text _, Content.Data _, Content.Thinking _ -> true;
      case Content.Image _, Content.ImageLink _, Content.File _, Content.FileLink _ -> false;
      case Content.Extension(var seal) -> !seal.vendor().equals(vendor);
    };
  }

  /// The data that this vendor sealed, if any.
  static Optional<JsonNode> sealed(Optional<Content.Seal> seal, String vendor) {
    return seal.filter(known -> known.vendor().equals(vendor)).map(known -> read(known.data()));
  }

  /// The id of a call in the form that vendors take, the same for the call and its answer; that of
  /// another vendor's call may be too long or have other characters.
  ///
  /// @param most how many characters it may have
  static String callId(String id, int most) {
    return id.length() <= most && CALL_ID.matcher(id).matches()
        ? id
        : "call_" + ToolNames.digest(id).substring(0, CALL_DIGEST);
  }

  static JsonNode read(Json json) {
    return JSON.readTree(json.text());
  }

  /// Arguments as an object; those that are none are shown to the model inside one, so that it sees
  /// what it wrote.
  static ObjectNode object(String arguments) {
    try {
      if (!arguments.isBlank()
          && ReplyReader.JSON.readTree(arguments) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException _) {
      // Falls through: shown as text.
    }
    var shown = JSON.createObjectNode();
    return arguments.isBlank() ? shown : shown.put("malformed_arguments", arguments);
  }
}
