package dev.superstep.terminal;

import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.DurableModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.TokenCounter;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import dev.superstep.state.State;
import dev.superstep.terminal.internal.form.FormProblem;
import dev.superstep.terminal.internal.form.ReplyForm;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// The requests of one node to a model: each is within the budget, its reply is saved before it is
/// used, and one that has not the form that was asked for is sent back once. For the thread of a
/// node.
final class ModelCalls {
  /// The name of a stage, for codes and for the steps of nodes.
  static final String PLAN = "plan";

  static final String COMMAND = "command";

  private static final ContextKey<Ledger> LEDGER = ContextKey.of("terminal-ledger", Ledger.class);
  private static final int REPAIRS = 1;
  private static final int PROBLEMS_MAX = 12;

  private final TerminalParts parts;
  private final NodeContext context;
  private final Ledger ledger;
  private final String stage;
  private Spend spent = Spend.NONE;
  private int requests;

  ModelCalls(TerminalParts parts, State state, NodeContext context, String stage) {
    this.parts = parts;
    this.context = context;
    this.stage = stage;
    var budget = parts.limits().budget();
    this.ledger = context.shared(LEDGER, () -> Ledger.of("conversation", budget));
    ledger.atLeast(state.get(WorkflowState.SPENT));
  }

  /// The cost of the replies of this node.
  Spend spent() {
    return spent;
  }

  /// Asks for a reply of a form.
  ///
  /// @throws GenerationFailed if there is none
  <T> T ask(ChatModel model, List<Message> messages, ReplyForm<T> form)
      throws InterruptedException {
    // A second request of a node has calls of its own.
    var name = ++requests == 1 ? stage : stage + " again " + requests;
    var durable = DurableModel.in(context, name, new Metered(model, ledger, parts.redact()));
    var conversation = new ArrayList<>(messages);
    for (int turn = 0; ; turn++) {
      var reply = call(durable, conversation, form);
      var said = parts.redact().apply(reply.message().text());
      switch (form.read(reply.message().text())) {
        case ReplyForm.Read.Good<T>(var value) -> {
          return value;
        }
        case ReplyForm.Read.Bad<T>(var problems) -> {
          if (turn == REPAIRS) {
            var names = problems.stream().map(problem -> problem.code().name()).distinct();
            throw new GenerationFailed(
                stage,
                GenerationFailed.Kind.INVALID_JSON,
                "The model gave no valid %s in %d turns: %s. %s Ask again, or another model."
                    .formatted(
                        form.name(),
                        turn + 1,
                        String.join(", ", names.toList()),
                        problems.getFirst().message()));
          }
          if (!said.isBlank()) conversation.add(Message.assistant(said));
          conversation.add(Message.user(repair(problems)));
        }
      }
    }
  }

  private <T> ChatReply call(ChatModel model, List<Message> conversation, ReplyForm<T> form)
      throws InterruptedException {
    var request =
        ChatRequest.of(List.copyOf(conversation))
            .withFormat(new ResponseFormat.JsonSchema(form.name(), form.schema()))
            .withTimeout(parts.limits().planTimeout());
    try {
      var reply = model.call(request);
      spent = spent.plus(ledger.spendOf(reply));
      return reply;
    } catch (ModelException e) {
      throw GenerationFailed.of(stage, e);
    } catch (BudgetExceeded e) {
      throw GenerationFailed.of(stage, e);
    }
  }

  private static String repair(List<FormProblem> problems) {
    var text = new StringBuilder("Your answer does not have the form that was asked for:");
    problems.stream()
        .limit(PROBLEMS_MAX)
        .forEach(one -> text.append("\n- ").append(one.code()).append(": ").append(one.message()));
    return text.append("\nAnswer again, with the corrected JSON only.").toString();
  }

  /// A model whose calls are counted against a ledger, and whose replies hold no secrets.
  private record Metered(ChatModel model, Ledger ledger, UnaryOperator<String> redact)
      implements ChatModel {
    @Override
    public ModelRef ref() {
      return model.ref();
    }

    @Override
    public ModelProfile profile() {
      return model.profile();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      var reserved =
          ledger.reserve(model.ref(), model.profile(), request, TokenCounter.approximate());
      try {
        var reply = model.call(reserved.request());
        ledger.settle(reserved, reply);
        return Redactions.reply(reply, redact);
      } catch (RuntimeException | InterruptedException e) {
        ledger.fail(reserved, e);
        throw e;
      }
    }
  }
}
