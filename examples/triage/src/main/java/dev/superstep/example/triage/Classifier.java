package dev.superstep.example.triage;

import dev.superstep.example.triage.Contents.Refused;
import dev.superstep.example.triage.Contents.Text;
import dev.superstep.example.triage.Reading.Classified;
import dev.superstep.example.triage.Reading.Unclear;
import dev.superstep.example.triage.Reading.Unread;
import dev.superstep.model.ChatModel;
import dev.superstep.model.DurableModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.StructuredCall;
import dev.superstep.node.NodeContext;
import java.util.regex.Pattern;

/// Asks a model what a message is about. Safe for many threads.
final class Classifier {
  private static final int ANSWER_TOKENS_MAX = 120;

  // What follows is about a position in JSON, in the words of a library.
  private static final Pattern DETAILS = Pattern.compile("\\R| at \\[Source| \\(at ");

  private final StructuredCall<Triage> call;
  private final ChatModel model;

  Classifier(ChatModel model) {
    this.model = model;
    this.call =
        StructuredCall.of(model, Triage.class)
            .withRequest(r -> r.withTemperature(0).withMaxTokens(ANSWER_TOKENS_MAX));
  }

  /// @throws ModelException if the model cannot be asked; the run can be resumed then
  Reading classify(MessageFile file, Contents contents, NodeContext context)
      throws InterruptedException {
    return switch (contents) {
      case Refused(var reason) -> new Unread(file.name(), reason);
      case Text(var text) -> ask(Letter.parse(file.name(), text), DurableModel.in(context, model));
    };
  }

  private Reading ask(Letter letter, DurableModel kept) throws InterruptedException {
    try {
      var reply = call.withModel(kept).ask(Prompt.about(letter));
      var risks = Risk.in(letter, reply.value().category());
      return new Classified(
          letter.heading(), reply.value(), risks, reply.model().url(), reply.source());
    } catch (ModelException e) {
      return switch (e.kind()) {
        case MALFORMED, REFUSED, TOO_LARGE -> unclear(letter, e);
        case BAD_URL, UNAVAILABLE, AUTH, QUOTA, RATE_LIMITED, OVERLOADED -> throw e;
        case CONTEXT_LENGTH, BAD_REQUEST, TIMEOUT, TRANSPORT -> throw e;
      };
    }
  }

  private Unclear unclear(Letter letter, ModelException e) {
    var reason = DETAILS.split(String.valueOf(e.getMessage()), 2)[0];
    return new Unclear(letter.heading(), reason, Risk.in(letter), model.ref().url());
  }
}
