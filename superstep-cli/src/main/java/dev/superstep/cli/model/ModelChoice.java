package dev.superstep.cli.model;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.host.UserConfig;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The model of a run, and who chose it. Immutable.
public record ModelChoice(ModelRef ref, From from) {
  /// The model that is used unless another one is named.
  public static final ModelRef STANDARD = new ModelRef("local", "gemma3-270m");

  static final String VARIABLE = "SUPERSTEP_MODEL";
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]", Pattern.CASE_INSENSITIVE);

  /// The sources of a choice; the first one wins.
  public enum From {
    OPTION("--model"),
    ENVIRONMENT(VARIABLE),
    /// The terminal workflow only.
    PROVIDER("a variable that names its provider"),
    FOLDER(ProgramFolder.FILE),
    /// The file of a run's settings, which the user has named.
    CONFIG("--config"),
    USER("the user's config"),
    STANDARD("default"),
    /// The thread continues with its model.
    THREAD("as before");

    private final String title;

    From(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  /// Chooses for a new thread.
  ///
  /// @param folder the URL that the program's folder asks for
  /// @throws UsageError if the folder's wish would send data where the user did not agree to
  /// @throws ModelException BAD_URL
  public static ModelChoice forRun(Host host, Optional<String> option, Optional<String> folder) {
    var typed = typed(host, option);
    if (typed.isPresent()) return typed.get();
    if (folder.isPresent()) return wish(folder.get());
    var config = UserConfig.of(host);
    return config
        .model()
        .map(url -> of(url, From.USER))
        .orElse(new ModelChoice(STANDARD, From.STANDARD));
  }

  /// Chooses for a saved thread: the same model, unless the user names another now.
  ///
  /// @param before the URL that the thread has stored; it may come from anybody who wrote the store
  public static ModelChoice forResume(Host host, Optional<String> option, String before) {
    if (option.isPresent()) return of(option.get(), From.OPTION);
    var kept = of(before, From.THREAD);
    if (!needsTrust(kept.ref())) return kept;
    var agreed = typed(host, Optional.empty()).map(ModelChoice::ref);
    if (agreed.isEmpty()) agreed = UserConfig.of(host).model().map(ModelRef::parse);
    if (agreed.filter(kept.ref()::equals).isPresent()) return kept;
    throw new UsageError(
        "model.not-agreed",
        "The thread keeps the model `%s`, which is %s. Say that you trust it: --model %s"
            .formatted(
                before,
                isElsewhere(kept.ref()) ? "another machine" : "a file",
                ShellText.word(before)));
  }

  /// Returns true if the user has to name the model, because it is on another machine or is an
  /// arbitrary file.
  public static boolean needsTrust(ModelRef ref) {
    return isElsewhere(ref) || ModelOpener.isFile(ref);
  }

  /// Returns true if the URL names a machine that is neither this one nor a known vendor's. The
  /// destination of a third-party adapter is unknown.
  public static boolean isElsewhere(ModelRef ref) {
    return switch (ref.provider()) {
      case "openai-compatible" -> !isLoopback(ref.model());
      case "ollama" -> !isLoopback("http://" + ref.model());
      default -> !ModelRef.PROVIDERS.contains(ref.provider());
    };
  }

  /// The model that a file of settings names.
  ///
  /// @param option by which the user can name it
  /// @throws UsageError if it would send data where the user did not agree to
  public static ModelChoice forConfig(Path file, String url, String option) {
    var named = of(url, From.CONFIG);
    if (needsTrust(named.ref())) throw notAgreed(file.toString(), named, url, option);
    return named;
  }

  static Optional<ModelChoice> typed(Host host, Optional<String> option) {
    if (option.isPresent()) return option.map(url -> of(url, From.OPTION));
    return host.variable(VARIABLE).map(url -> of(url.strip(), From.ENVIRONMENT));
  }

  static ModelChoice wish(String url) {
    var wish = of(url, From.FOLDER);
    if (!needsTrust(wish.ref())) return wish;
    throw notAgreed("The program's " + ProgramFolder.FILE, wish, url, "--model");
  }

  private static UsageError notAgreed(String who, ModelChoice wish, String url, String option) {
    return new UsageError(
        "model.not-agreed",
        "%s asks for the model `%s`, which is %s. If you trust it: %s %s"
            .formatted(
                who,
                url,
                isElsewhere(wish.ref()) ? "another machine" : "a file",
                option,
                ShellText.word(url)));
  }

  /// A choice by its URL.
  ///
  /// @throws ModelException BAD_URL
  public static ModelChoice of(String url, From from) {
    try {
      return new ModelChoice(ModelRef.parse(url), from);
    } catch (ModelException e) {
      if (from == From.OPTION) throw e;
      throw new ModelException(e.kind(), e.getMessage() + " (From " + from.title() + ".)", null, e);
    }
  }

  private static boolean isLoopback(String url) {
    try {
      var host = new URI(url.toLowerCase(Locale.ROOT)).getHost();
      return host != null && LOOPBACK.matcher(host).matches();
    } catch (URISyntaxException _) {
      return false;
    }
  }
}
