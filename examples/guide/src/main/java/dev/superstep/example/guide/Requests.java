package dev.superstep.example.guide;

import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.model.CacheHint;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Effort;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.StructuredCall;
import dev.superstep.model.StructuredReply;
import dev.superstep.model.ToolChoice;
import dev.superstep.schema.Description;
import dev.superstep.schema.Limits;
import java.util.Base64;

/// What a request can say, and an answer of a type.
public final class Requests {
  enum Kind {
    QUESTION,
    COMPLAINT
  }

  record Mail(@Description("in one sentence") @Limits(maxLength = 120) String summary, Kind kind) {}

  private Requests() {}

  static ChatRequest request(byte[] png) {
    var picture = new Content.Image("image/png", Base64.getEncoder().encodeToString(png));
    return ChatRequest.of(
            Message.system("Be terse."), Message.user(new Content.Text("What is it?"), picture))
        .withEffort(Effort.HIGH)
        .withToolChoice(new ToolChoice.Required())
        .withStop("END")
        .withPrefix(1, CacheHint.LONG)
        .withVendorOptions(Json.parse("{\"service_tier\":\"flex\"}"));
  }

  static Mail read(ChatModel model, String text) throws InterruptedException {
    StructuredReply<Mail> reply = StructuredCall.of(model, Mail.class).ask(text);
    return reply.value();
  }

  public static void main(String[] args) throws InterruptedException {
    System.out.println(request(new byte[] {1, 2, 3}));
    var model =
        ScriptedModel.saying("{\"summary\":\"The lamp is broken.\",\"kind\":\"COMPLAINT\"}");
    System.out.println(read(model, "Dear shop, ..."));
  }
}
