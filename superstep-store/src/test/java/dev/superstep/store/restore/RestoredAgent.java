package dev.superstep.store.restore;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.EffectConflict;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.testkit.Choices;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// An agent whose thread is stopped anywhere and restored to any checkpoint, again and again, and
/// whose model words its calls anew each time. Its bank counts what really happens. One thread at a
/// time.
final class RestoredAgent {
  /// A plan for such a thread.
  ///
  /// @param turns of calls of the model
  /// @param mails calls of an unclassified tool in each turn
  /// @param isInside whether another agent calls it
  record Plan(
      int turns, int mails, boolean isInside, Durability durability, List<Restore> restores) {
    static Plan draw(Choices choices) {
      var restores = new ArrayList<Restore>();
      int many = choices.between(1, 3);
      for (int i = 0; i < many; i++) restores.add(Restore.draw(choices));
      return new Plan(
          choices.between(1, 2),
          choices.between(1, 2),
          choices.chance(40),
          choices.of(Durability.values()),
          restores);
    }

    int inAll() {
      return turns * mails;
    }
  }

  /// A stop, and what is restored.
  ///
  /// @param tasks how many tasks run before the stop; as many as there are if it is 0
  /// @param place of the checkpoint in the history, counted from the newest
  /// @param isWorded whether the model words its calls anew
  /// @param decision what a person says of a conflict: to use the record, to refuse, to go on
  record Restore(int tasks, int place, boolean isFork, boolean isWorded, int decision) {
    static Restore draw(Choices choices) {
      return new Restore(
          choices.below(9),
          choices.below(12),
          choices.chance(40),
          choices.chance(75),
          choices.below(3));
    }
  }

  record Mail(String to, int wording) {}

  record Payment(String to, int wording) {}

  private static final int ROUNDS_MAX = 200;

  private final Plan plan;
  private final Checkpointer store;
  private final List<String> mailed = Collections.synchronizedList(new ArrayList<>());
  private final List<String> paid = Collections.synchronizedList(new ArrayList<>());
  private final List<String> approved = new ArrayList<>();
  private int allowedMails;
  private int allowedPayments;
  private int wording;
  private int decision;
  private String thread;

  RestoredAgent(Plan plan, Checkpointer store, String thread) {
    this.plan = plan;
    this.store = store;
    this.thread = thread;
  }

  /// Plays the plan to its end, and returns what was wrong.
  List<String> faults() throws InterruptedException {
    play(0);
    for (var restore : plan.restores()) {
      if (restore.tasks() > 0) play(restore.tasks());
      restore(restore);
      play(restore.tasks());
    }
    play(0);
    var faults = new ArrayList<String>();
    if (mailed.size() > plan.inAll() + allowedMails) faults.add("mailed " + mailed);
    if (paid.size() > plan.turns() + allowedPayments) faults.add("paid " + paid);
    var unused = new ArrayList<>(approved);
    for (var payment : paid) if (!unused.remove(payment)) faults.add("not approved " + payment);
    if (mailed.size() < plan.inAll() && allowedMails == 0 && wording == 0) {
      faults.add("too few mails " + mailed);
    }
    return faults;
  }

  private void restore(Restore restore) {
    var threads = Threads.in(store);
    var history = threads.history(thread, Optional.empty(), 1_000);
    var at = history.get(restore.place() % history.size()).id();
    if (restore.isFork()) {
      var fork = thread + "f";
      threads.fork(thread, at, fork);
      thread = fork;
    } else {
      threads.rewind(thread, at);
    }
    if (restore.isWorded()) wording++;
    decision = restore.decision();
  }

  /// Runs on, as another process would, and answers what is asked.
  ///
  /// @param tasks a limit, or 0
  private void play(int tasks) throws InterruptedException {
    var all = RunOptions.thread(thread).checkpoints(store).durability(plan.durability());
    for (int round = 0; round < ROUNDS_MAX; round++) {
      var agent = agent();
      var state = agent.graph().state(all);
      if (state.isPresent() && state.get().next().isEmpty()) return;
      var options = tasks == 0 ? all : all.taskLimit(tasks);
      var result =
          state.isEmpty()
              ? agent.run("Do what was ordered.", options)
              : agent.resume(answers(state.get().questions()), options);
      if (!(result instanceof AgentResult.Waiting<String>)) return;
      if (tasks > 0) return;
    }
    throw new AssertionError("it does not end: " + agent().graph().state(all));
  }

  private Answers answers(List<Interrupt> questions) {
    var answers = Answers.none();
    for (var question : questions) {
      answers =
          answers.and(
              question.question().equals(Review.QUESTION.name())
                  ? Review.QUESTION.answer(question, approvals(Review.QUESTION.read(question)))
                  : EffectConflict.QUESTION.answer(
                      question, decision(EffectConflict.QUESTION.read(question))));
    }
    return answers;
  }

  private Review.Decisions approvals(Review review) {
    var decisions = new ArrayList<Review.Decision>();
    for (var action : review.actions()) {
      approved.add(action.args().as(Payment.class).toString());
      decisions.add(new Review.Decision.Approve());
    }
    return new Review.Decisions(decisions);
  }

  private EffectConflict.Decision decision(EffectConflict conflict) {
    return switch (decision) {
      case 0 -> new EffectConflict.Decision.UseRecorded(conflict.recorded().getFirst().id());
      case 1 -> new EffectConflict.Decision.Refuse(Optional.empty());
      default -> {
        if (conflict.effect().equals("mail")) allowedMails++;
        else allowedPayments++;
        yield new EffectConflict.Decision.Perform();
      }
    };
  }

  private Agent<String> agent() {
    var clerk =
        Agent.named("clerk")
            .model(ScriptedModel.by(this::reply))
            .tools(
                Tool.of("mail", "Sends a mail.", Mail.class, (mail, _) -> done(mailed, mail)),
                Tool.of("pay", "Pays.", Payment.class, (payment, _) -> done(paid, payment)),
                Tool.of("look", "Looks.", Mail.class, (_, _) -> "nothing")
                    .withPolicy(ToolPolicy.readOnly()))
            .gate(ToolGate.open().confirming("pay"))
            .build();
    if (!plan.isInside()) return clerk;
    return Agent.named("boss")
        .model(
            ScriptedModel.by(request ->
                request.messages().getLast() instanceof ToolMessage
                    ? ScriptedModel.text("Done.")
                    : ScriptedModel.calls(
                        new ToolCall(
                            "c", "clerk", "{\"task\":\"Do it, %d.\"}".formatted(wording)))))
        .agent(clerk, "Does it.")
        .build();
  }

  private static String done(List<String> ledger, Record what) {
    ledger.add(what.toString());
    return "done";
  }

  private ChatReply reply(ChatRequest request) {
    long answered = request.messages().stream().filter(ToolMessage.class::isInstance).count();
    int each = plan.mails() + 2;
    int turn = (int) answered / each;
    if (turn == plan.turns()) return ScriptedModel.text("Done.");
    var calls = new ArrayList<ToolCall>();
    for (int i = 0; i < plan.mails(); i++) calls.add(call("mail", turn, i));
    calls.add(call("pay", turn, plan.mails()));
    calls.add(call("look", turn, plan.mails() + 1));
    return ScriptedModel.calls(calls.toArray(ToolCall[]::new));
  }

  private ToolCall call(String tool, int turn, int number) {
    var arguments = "{\"to\":\"%s%d-%d\",\"wording\":%d}".formatted(tool, turn, number, wording);
    return new ToolCall("c%d-%d".formatted(turn, number), tool, arguments);
  }
}
