package dev.superstep.cli.repl;

import dev.superstep.agent.run.Review;
import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.view.AnswerText;
import java.util.Optional;

/// A person at a terminal that only adds lines. One thread at a time.
record LinePerson(Terminal terminal) implements SessionPerson {
  @Override
  public Optional<Review.Decision> decide(Review.Action call) {
    print("The cell calls " + call.name() + ". " + call.description().orElse(""));
    terminal.out().println(ForeignText.framed(call.args().text()));
    while (true) {
      var typed = terminal.ask("Approve? [y]es / [n]o / [s]kip (answer later): ");
      if (typed.isEmpty() || typed.get().strip().matches("(?i)s|skip")) return Optional.empty();
      var approval = AnswerText.approval(typed.get());
      if (approval.isEmpty()) {
        print("Please type y, n or s. `no: reason` says why.");
      } else if (approval.get().approved()) {
        return Optional.of(new Review.Decision.Approve());
      } else return Optional.of(new Review.Decision.Reject(approval.get().note()));
    }
  }

  @Override
  public Optional<String> answer(String question, String form) {
    terminal.out().println(ForeignText.framed(question));
    var typed = terminal.ask("Answer (" + SafeText.line(form) + "), or s to answer later: ");
    return typed.filter(text -> !text.strip().matches("(?i)s|skip"));
  }

  private void print(String text) {
    terminal.out().println(SafeText.line(text));
  }
}
