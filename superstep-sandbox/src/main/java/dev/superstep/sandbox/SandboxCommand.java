package dev.superstep.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A command to run, with all that it may do. Immutable; each method returns a changed copy.
///
/// ```java
/// SandboxCommand.of(Tier.BUBBLEWRAP, project, "sh", "-c", "make test")
///     .writing(project)
///     .timeout(Duration.ofMinutes(5))
/// ```
///
/// Unless changed, it may write nowhere, read the system's programs and its directory, reaches no
/// network where its tier holds that, has nothing to read, and is killed after five minutes. Its
/// variables are `PATH`, `HOME`, `LANG`, `TERM` and `TMPDIR`, and none of this process is passed.
public final class SandboxCommand {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private final Tier tier;
  private final List<String> words;
  private final Path directory;
  private List<Path> writable = List.of();
  private List<Path> readable = List.of();
  private Map<String, String> variables = Map.of();
  private boolean hasUsualVariables = true;
  private byte[] input = {};
  private Duration timeout = TIMEOUT;
  private OutputLimits output = OutputLimits.standard();
  private ProcessLimits limits = ProcessLimits.standard();
  private ProtectedNames protectedNames = ProtectedNames.standard();
  private boolean isMetadataLocked;
  private @Nullable NetworkRelay relay;

  private SandboxCommand(Tier tier, Path directory, List<String> words) {
    this.tier = tier;
    this.directory = absolute("directory", directory);
    this.words = List.copyOf(words);
    if (words.isEmpty() || words.getFirst().isEmpty()) {
      throw new IllegalArgumentException("words must begin with a program, were " + words);
    }
    for (var word : words) noZero("words", word);
  }

  private SandboxCommand(SandboxCommand from) {
    this.tier = from.tier;
    this.words = from.words;
    this.directory = from.directory;
    this.writable = from.writable;
    this.readable = from.readable;
    this.variables = from.variables;
    this.hasUsualVariables = from.hasUsualVariables;
    this.input = from.input;
    this.timeout = from.timeout;
    this.output = from.output;
    this.limits = from.limits;
    this.protectedNames = from.protectedNames;
    this.isMetadataLocked = from.isMetadataLocked;
    this.relay = from.relay;
  }

  /// A program with its arguments, to be run in a directory.
  ///
  /// @param words the program first: a name that is looked up in `PATH`, or a path
  public static SandboxCommand of(Tier tier, Path directory, List<String> words) {
    return new SandboxCommand(tier, directory, words);
  }

  /// A program with its arguments, to be run in a directory.
  public static SandboxCommand of(Tier tier, Path directory, String... words) {
    return new SandboxCommand(tier, directory, List.of(words));
  }

  /// Lets it write in these directories too, but for the [#protecting] names.
  public SandboxCommand writing(Path... directories) {
    var copy = new SandboxCommand(this);
    copy.writable = joined("writable", writable, directories);
    return copy;
  }

  /// Lets it read and execute in these files and directories too.
  public SandboxCommand reading(Path... paths) {
    var copy = new SandboxCommand(this);
    copy.readable = joined("readable", readable, paths);
    return copy;
  }

  /// Sets a variable.
  public SandboxCommand variable(String name, String value) {
    noZero("name", name);
    noZero("value", value);
    if (name.isEmpty() || name.indexOf('=') >= 0) {
      throw new IllegalArgumentException("name must not be empty or have `=`, was `" + name + "`");
    }
    var copy = new SandboxCommand(this);
    var all = new TreeMap<>(variables);
    all.put(name, value);
    copy.variables = Map.copyOf(all);
    return copy;
  }

  /// Sets variables.
  public SandboxCommand variables(Map<String, String> more) {
    var copy = this;
    for (var one : more.entrySet()) copy = copy.variable(one.getKey(), one.getValue());
    return copy;
  }

  /// Sets these variables and no others, not even the usual ones.
  public SandboxCommand onlyVariables(Map<String, String> all) {
    var copy = new SandboxCommand(this);
    copy.variables = Map.of();
    copy.hasUsualVariables = false;
    return copy.variables(all);
  }

  /// Passes these variables of this process, if they are set.
  public SandboxCommand passing(String... names) {
    var copy = this;
    for (var name : names) {
      var value = System.getenv(name);
      if (value != null) copy = copy.variable(name, value);
    }
    return copy;
  }

  /// Gives it something to read.
  public SandboxCommand input(byte[] bytes) {
    var copy = new SandboxCommand(this);
    copy.input = bytes.clone();
    return copy;
  }

  /// Kills it after that time.
  public SandboxCommand timeout(Duration most) {
    if (!most.isPositive()) {
      throw new IllegalArgumentException("timeout must be positive, was " + most);
    }
    var copy = new SandboxCommand(this);
    copy.timeout = most;
    return copy;
  }

  /// Sets the limits of its outputs.
  public SandboxCommand output(OutputLimits most) {
    var copy = new SandboxCommand(this);
    copy.output = most;
    return copy;
  }

  /// Sets the limits of its processes.
  public SandboxCommand limits(ProcessLimits most) {
    var copy = new SandboxCommand(this);
    copy.limits = most;
    return copy;
  }

  /// Sets the names that it must not change.
  public SandboxCommand protecting(ProtectedNames names) {
    var copy = new SandboxCommand(this);
    copy.protectedNames = names;
    return copy;
  }

  /// Refuses every change of owner, mode, times and attributes of any file, in [Tier#LANDLOCK].
  /// Without this that tier lets a command change those of files outside, where the user may. It
  /// breaks programs that set modes: compilers, archivers, package managers. The other tiers do not
  /// need it or cannot do it.
  public SandboxCommand lockingMetadata() {
    var copy = new SandboxCommand(this);
    copy.isMetadataLocked = true;
    return copy;
  }

  /// Lets it reach the hosts that a relay allows, in [Tier#BUBBLEWRAP], by the variables for HTTP
  /// proxies.
  public SandboxCommand network(NetworkRelay through) {
    var copy = new SandboxCommand(this);
    copy.relay = through;
    return copy;
  }

  /// The tier that it runs in.
  public Tier tier() {
    return tier;
  }

  /// The program and its arguments.
  public List<String> words() {
    return words;
  }

  /// The directory that it runs in.
  public Path directory() {
    return directory;
  }

  /// The directories that it may write in.
  public List<Path> writable() {
    return writable;
  }

  /// The paths that it may read beside the system's and its directory.
  public List<Path> readable() {
    return readable;
  }

  /// The variables that were set.
  public Map<String, String> variables() {
    return variables;
  }

  /// Returns whether it has the usual variables beside those that were set.
  boolean hasUsualVariables() {
    return hasUsualVariables;
  }

  /// The bytes that it has to read.
  public byte[] input() {
    return input.clone();
  }

  /// The time after which it is killed.
  public Duration timeout() {
    return timeout;
  }

  /// The limits of its outputs.
  public OutputLimits output() {
    return output;
  }

  /// The limits of its processes.
  public ProcessLimits limits() {
    return limits;
  }

  /// The names that it must not change.
  public ProtectedNames protectedNames() {
    return protectedNames;
  }

  /// Returns whether [#lockingMetadata] was asked for.
  public boolean isMetadataLocked() {
    return isMetadataLocked;
  }

  /// The relay to other hosts, if it has one.
  public Optional<NetworkRelay> relay() {
    return Optional.ofNullable(relay);
  }

  private static List<Path> joined(String name, List<Path> some, Path... more) {
    var all = new ArrayList<>(some);
    for (var path : more) {
      var one = absolute(name, path);
      if (!all.contains(one)) all.add(one);
    }
    return List.copyOf(all);
  }

  private static Path absolute(String name, Path path) {
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(name + " must be absolute, was `" + path + "`");
    }
    var normal = path.normalize();
    if (normal.getNameCount() == 0 && !name.equals("directory")) {
      throw new IllegalArgumentException(name + " must not be the root of all files");
    }
    return normal;
  }

  private static void noZero(String name, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(name + " must not have the character zero");
    }
  }

  @Override
  public String toString() {
    return "SandboxCommand[%s, %d words, in %s]".formatted(tier, words.size(), directory);
  }
}
