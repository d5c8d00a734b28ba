package dev.superstep.cli.conversation;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.VendorKeys;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.terminal.privacy.ConsentStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Tells which model a conversation would have, and what it still lacks. Asks it only when told to.
final class ModelCheck {
  private static final String QUESTION = "Reply with the one word: ready";
  private static final int TOKENS_MAX = 20;
  private static final int SHOWN_MAX = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final double MILLIS = 1_000;

  private final Host host;
  private final Optional<String> option;

  ModelCheck(Host host, Optional<String> option) {
    this.host = host;
    this.option = option;
  }

  /// Lines about all that is known without a question.
  Map<String, String> lines() {
    var lines = new LinkedHashMap<String, String>();
    try {
      var choice = TerminalModel.choose(host, option);
      lines.put("model", choice.ref().url() + " (" + choice.from().title() + ")");
      lines.put("model's needs", needs(choice.ref()));
      Vendors.of(choice.ref()).ifPresent(vendor -> lines.put("consent", consent(vendor)));
    } catch (SuperstepException e) {
      lines.put("model", "cannot be chosen: " + e.getMessage());
    }
    return lines;
  }

  private String needs(ModelRef ref) {
    if (ref.provider().equals("local")) {
      boolean isHere = new ModelOpener(host).locals().find(ref.model()).isPresent();
      return isHere
          ? "its weights are here"
          : "its weights are missing: " + host.command() + " models pull " + ref.model();
    }
    var keys = VendorKeys.of(ref.provider());
    if (keys.isEmpty()) return "no key";
    return keys.get()
        .set(host)
        .map(name -> "its key is set: " + name)
        .orElseGet(() -> "its key is missing: set " + keys.get().text());
  }

  private String consent(String vendor) {
    var files = TerminalFiles.of(host);
    boolean isGiven = ConsentStore.at(files.consents()).isGiven(vendor, files.workspace());
    return isGiven
        ? "texts of this folder may go to " + vendor
        : "you are asked before texts of this folder go to " + vendor;
  }

  /// Asks it one small question, in which nothing of the folder is.
  ///
  /// @return whether it answered
  boolean ask(BiConsumer<String, String> say) {
    try (var open = new ModelOpener(host).open(TerminalModel.choose(host, option))) {
      long start = System.nanoTime();
      var request =
          ChatRequest.of(new UserMessage("question", QUESTION))
              .withMaxTokens(TOKENS_MAX)
              .withTimeout(PATIENCE);
      var text = open.model().call(request).message().text().strip();
      var took = Duration.ofNanos(System.nanoTime() - start).toMillis() / MILLIS;
      say.accept("model says", "`%s` after %.1f s".formatted(shortened(text), took));
      return true;
    } catch (SuperstepException e) {
      say.accept("model says", "nothing: " + e.getMessage());
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      say.accept("model says", "nothing: it was interrupted");
      return false;
    }
  }

  private static String shortened(String text) {
    int shown = Math.min(SHOWN_MAX, text.codePointCount(0, text.length()));
    return text.substring(0, text.offsetByCodePoints(0, shown));
  }
}
