package dev.superstep.cli.chat;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.view.AnswerText;
import dev.superstep.json.Json;
import java.util.Optional;

/// A person at a terminal that only adds lines. One thread at a time.
record LineChatPerson(Terminal terminal) implements ChatPerson {
  @Override
  public Optional<Review.Decision> decide(Review.Action call) {
    print("The agent calls " + call.name() + ". " + call.description().orElse(""));
    terminal.out().println(ForeignText.framed(call.args().text()));
    while (true) {
      var typed = terminal.ask("Approve? [y]es / [n]o / [l]ater: ");
      if (typed.isEmpty() || isLater(typed.get())) return Optional.empty();
      var approval = AnswerText.approval(typed.get());
      if (approval.isEmpty()) {
        print("Please type y, n or l. `no: reason` says why.");
      } else if (approval.get().approved()) {
        return Optional.of(new Review.Decision.Approve());
      } else return Optional.of(new Review.Decision.Reject(approval.get().note()));
    }
  }

  @Override
  public Optional<Json> answer(Interrupt question, String words) {
    terminal.out().println(ForeignText.framed(words));
    var form = SafeText.line(question.answerType());
    var typed = terminal.ask("Answer (" + form + "), or l to answer later: ");
    return typed.filter(text -> !isLater(text)).map(text -> AnswerText.read(question, text));
  }

  private static boolean isLater(String typed) {
    return typed.strip().matches("(?i)l|later|s|skip");
  }

  private void print(String text) {
    terminal.out().println(SafeText.line(text));
  }
}
