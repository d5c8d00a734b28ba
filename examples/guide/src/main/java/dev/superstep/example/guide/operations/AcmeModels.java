package dev.superstep.example.guide.operations;

import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProvider;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import java.util.Set;

/// Brings the models of a vendor under the scheme `acme`. The file
/// `META-INF/services/dev.superstep.model.ModelProvider` names this class. Immutable.
public final class AcmeModels implements ModelProvider {
  /// For the service loader.
  public AcmeModels() {}

  @Override
  public Set<String> schemes() {
    return Set.of("acme");
  }

  @Override
  public int rank() {
    return SMALL;
  }

  @Override
  public ChatModel open(ModelRef ref, Environment environment) {
    return new AcmeModel(ref);
  }

  private record AcmeModel(ModelRef ref) implements ChatModel {
    @Override
    public ChatReply call(ChatRequest request) {
      // Here a request would be sent and its reply read.
      return ScriptedModel.text("I am " + ref.model() + ".");
    }
  }

  /// Asks the model, and one that nobody has.
  public static void main(String[] arguments) throws InterruptedException {
    var model = ModelProviders.open(ModelRef.parse("acme://small"));
    var reply = model.call(ChatRequest.of(Message.user("Who are you?")));
    System.out.println(model.ref() + ": " + reply.message().text());
    try {
      ModelProviders.open(ModelRef.parse("acne://small"));
    } catch (ModelException unknown) {
      System.out.println(unknown.getMessage());
    }
  }
}
