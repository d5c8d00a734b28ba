package dev.superstep.terminal.privacy;

import dev.superstep.middleware.Secrets;
import dev.superstep.middleware.TextRedactor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The secrets of a terminal: the values of all variables but the well-known harmless ones, the
/// content of files that are marked secret, and whatever looks like a key. Immutable; the methods
/// return changed copies.
///
/// ```java
/// var redactor = SecretSources.of(System.getenv()).file(home.resolve(".netrc")).redactor();
/// ```
public final class SecretSources {
  private static final int VALUE_MIN = 8;

  /// Of variables and settings whose name says that they are secret.
  private static final int SECRET_MIN = 4;

  private static final int FILE_MAX = 64 * 1024;

  private static final Pattern SECRET_NAME =
      Pattern.compile("(?i).*(?:key|token|secret|pass|pwd|auth|cred|cookie|session|dsn).*");

  private static final Set<String> HARMLESS =
      Set.of(
          ("PATH HOME LANG LANGUAGE TERM TMPDIR TMP TEMP TZ USER LOGNAME USERNAME SHELL SHLVL PWD"
                  + " OLDPWD HOSTNAME HOST DISPLAY WAYLAND_DISPLAY COLORTERM COLUMNS LINES NO_COLOR"
                  + " CLICOLOR FORCE_COLOR EDITOR VISUAL PAGER LESS MANPATH INFOPATH MAIL"
                  + " TERM_PROGRAM TERM_PROGRAM_VERSION SSH_TTY JAVA_HOME MAVEN_HOME GRADLE_HOME"
                  + " GOPATH GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR PYENV_ROOT VIRTUAL_ENV"
                  + " CONDA_PREFIX NODE_ENV NODE_PATH CI DEBIAN_FRONTEND LD_LIBRARY_PATH"
                  + " PYTHONPATH CLASSPATH LS_COLORS HISTFILE HISTSIZE HISTCONTROL DESKTOP_SESSION"
                  + " GDMSESSION _ WINDOWID XAUTHORITY container SUPERSTEP_MODEL_PROVIDER"
                  + " PARSEC_MODEL_PROVIDER SUPERSTEP_STORE SUPERSTEP_CACHE"
                  + " SUPERSTEP_CONFIG"
                  + " SUPERSTEP_ASK_QUIET_MS")
              .split(" ", -1));

  private final Map<String, String> variables;
  private final Set<String> allowed;
  private final List<Path> files;

  private SecretSources(Map<String, String> variables, Set<String> allowed, List<Path> files) {
    this.variables = Map.copyOf(variables);
    this.allowed = Set.copyOf(allowed);
    this.files = List.copyOf(files);
  }

  /// Secrets among these variables.
  public static SecretSources of(Map<String, String> variables) {
    return new SecretSources(variables, Set.of(), List.of());
  }

  /// Variables that may be shown.
  public SecretSources allowing(String... names) {
    var more = new HashSet<>(allowed);
    more.addAll(List.of(names));
    return new SecretSources(variables, more, files);
  }

  /// A file that is secret as a whole, in each line, and in each value behind `=` or `:`. One that
  /// is missing has no secrets.
  public SecretSources file(Path file) {
    var more = new ArrayList<>(files);
    more.add(file);
    return new SecretSources(variables, allowed, more);
  }

  /// A redactor that takes them all out, and with them all that looks like a key.
  public TextRedactor redactor() {
    var all = TextRedactor.of(Secrets.all());
    var values = values();
    return values.isEmpty() ? all : all.and(Secrets.values(values));
  }

  private Set<String> values() {
    var harmless = new HashSet<String>();
    var values = new LinkedHashSet<String>();
    variables.forEach((name, value) -> {
      if (isHarmless(name) || isPlainUrl(name, value)) harmless.add(value);
      else if (value.length() >= least(name)) values.add(value);
    });
    // A value that is also the person's home or shell would be hidden everywhere.
    values.removeIf(value -> harmless.contains(value));
    for (var file : files) addFile(file, values);
    return values;
  }

  private boolean isHarmless(String name) {
    return HARMLESS.contains(name)
        || allowed.contains(name)
        || name.startsWith("LC_")
        || name.startsWith("XDG_");
  }

  /// A model's URL is shown in errors, unless it may hold a password.
  private static boolean isPlainUrl(String name, String value) {
    return name.equals("SUPERSTEP_MODEL") && !value.contains("@");
  }

  private static int least(String name) {
    return SECRET_NAME.matcher(name).matches() ? SECRET_MIN : VALUE_MIN;
  }

  private static void addFile(Path file, Set<String> to) {
    try {
      if (!Files.isRegularFile(file)) return;
      if (Files.size(file) > FILE_MAX) {
        throw new IOException("a secret file must have at most 64 KiB");
      }
      var text = Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1).strip();
      text =
          new String(
              text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1),
              java.nio.charset.StandardCharsets.UTF_8);
      if (text.length() >= SECRET_MIN) to.add(text);
      for (var line : text.split("\\R", -1)) addLine(line.strip(), to);
    } catch (IOException e) {
      throw new UncheckedIOException("the secrets of a file cannot be read: " + file, e);
    }
  }

  private static void addLine(String line, Set<String> to) {
    if (line.startsWith("#") || line.startsWith("-----")) return;
    if (line.length() >= VALUE_MIN) to.add(line);
    int is = line.indexOf('=');
    if (is < 0) is = line.indexOf(':');
    if (is < 0) {
      words(line, to);
      return;
    }
    var name = line.substring(0, is).toLowerCase(Locale.ROOT);
    var value = line.substring(is + 1).strip().replaceAll("^[\"']|[\"',;]+$", "");
    if (value.length() >= least(name)) to.add(value);
  }

  /// As in `.netrc`: the word behind `password`.
  private static void words(String line, Set<String> to) {
    var words = line.split("\\s+", -1);
    for (int i = 0; i + 1 < words.length; i++) {
      boolean isNamed = SECRET_NAME.matcher(words[i]).matches();
      if (isNamed && words[i + 1].length() >= SECRET_MIN) to.add(words[i + 1]);
    }
  }
}
