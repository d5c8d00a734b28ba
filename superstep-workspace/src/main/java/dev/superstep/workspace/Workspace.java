package dev.superstep.workspace;

import dev.superstep.model.Environment;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxError;
import dev.superstep.sandbox.Tier;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/// The files that tools may read and write, the commands that they may run, and the hosts that they
/// may fetch from. Everything must be allowed explicitly: a new workspace has its directory, but no
/// commands and no hosts. [WorkspaceTools] gives it to an agent.
///
/// ```java
/// var workspace =
///     Workspace.at(Path.of("project"))
///         .reading(Path.of("handbook"))
///         .commands(AllowedCommand.git("status", "diff"))
///         .hosts("example.org");
/// workspace.write("notes/today.md", "...");
/// ```
///
/// **Paths.** A path is resolved in the file system, links included, and the result must be inside
/// the workspace. Then it is opened directory by directory, by descriptors and without following
/// links, so that a directory that is swapped for a link in the meantime is not followed either. A
/// write replaces the old file atomically. Some gaps remain: hard links look like files, so a file
/// inside that has another name outside can be read (a write does not change the other one, because
/// the name inside gets a new file). Mounts are followed, and no directory is created inside of
/// one. Where Java cannot hold directories by descriptors (Windows), a swap that is undone at once
/// is not detected. A file that is swapped for a named pipe at the right moment costs its reader
/// some seconds and an error; at most 64 such readers wait in the background. Nothing can be
/// written into a `.git`, because its files control what git runs.
///
/// **Commands** are lists of words, never a line for a shell. A program is looked up in the search
/// path that the process had when the workspace was made. Its arguments must be allowed options, or
/// paths inside the workspace, unless [AllowedCommand] says otherwise. A command runs in the root
/// with no input and few variables, and is killed with its descendants when its time is over.
/// Unless [#sandbox] says otherwise, it runs in [Tier#PROCESS]: that is no sandbox, a running
/// program may do whatever this process may do.
///
/// **Fetches** are GETs of allowed hosts. A name that resolves to an address of this machine or its
/// network is refused, at each redirect again. Each name is resolved once per hop, and the
/// connection goes to the checked address, even if the name resolves differently by then; so no
/// proxy is used, and the protocol is HTTP/1.1.
///
/// Immutable, safe for many threads; the methods that configure return changed copies.
public final class Workspace {
  private static final System.Logger LOG = System.getLogger("dev.superstep.workspace");

  /// Variables that programs cannot do without, and that contain no secrets.
  private static final List<String> VARIABLES =
      List.of("LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "TEMP", "TMP");

  private static final int SETTINGS_MAX = 1_048_576;

  private final Environment environment;
  private PathResolver places;
  private Tree tree = new Tree(Folder::of);
  private CommandPolicy programs;
  private HostPolicy hosts = new HostPolicy(List.of());
  private Map<String, String> variables = Map.of();
  private WorkspaceLimits limits = WorkspaceLimits.standard();
  private Sandbox sandbox = Sandbox.processesOnly();
  private Tier tier = Tier.PROCESS;
  private String policy;
  private List<WorkspaceListener> listeners = List.of();
  private UrlFetcher.Web web = new UrlFetcher.Web(AddressLookup.SYSTEM, null);
  private Caller caller = new Caller("", "");

  /// The user of the workspace: a tool call, or the program.
  private record Caller(String tool, String call) {}

  private Workspace(Root root, Environment environment) {
    this.environment = environment;
    this.places = new PathResolver(List.of(root));
    var name = root.real().getFileName();
    this.policy = name == null ? "workspace" : name.toString();
    this.programs =
        new CommandPolicy(List.of(), CommandPolicy.directories(environment.get("PATH").orElse("")));
    this.variables = inherited(VARIABLES);
  }

  private Workspace(Workspace from) {
    this.environment = from.environment;
    this.places = from.places;
    this.tree = from.tree;
    this.programs = from.programs;
    this.hosts = from.hosts;
    this.variables = from.variables;
    this.limits = from.limits;
    this.sandbox = from.sandbox;
    this.tier = from.tier;
    this.policy = from.policy;
    this.listeners = from.listeners;
    this.web = from.web;
    this.caller = from.caller;
  }

  /// A workspace in a directory, which may be read and written.
  ///
  /// @throws IllegalArgumentException if there is no such directory
  public static Workspace at(Path directory) {
    return at(directory, Environment.ofProcess());
  }

  /// Makes a workspace with other environment variables than the process has.
  public static Workspace at(Path directory, Environment environment) {
    return new Workspace(Root.of(directory, true), environment);
  }

  /// Makes a temporary directory, which is deleted when the workspace is closed.
  public static TemporaryWorkspace temporary() {
    return temporary(WorkspaceListener.NONE);
  }

  /// Makes a temporary directory whose events go to a listener.
  public static TemporaryWorkspace temporary(WorkspaceListener listener) {
    return TemporaryWorkspace.make(listener);
  }

  /// Adds a directory for reading. If directories contain each other, the inner one decides:
  /// `workspace.reading(workspace.root().resolve(".git"))` protects a part.
  public Workspace reading(Path directory) {
    return with(Root.of(directory, false));
  }

  /// Adds a directory for reading and writing, by absolute paths.
  public Workspace writing(Path directory) {
    return with(Root.of(directory, true));
  }

  private Workspace with(Root root) {
    var copy = new Workspace(this);
    copy.places =
        new PathResolver(Stream.concat(places.roots().stream(), Stream.of(root)).toList());
    return copy;
  }

  /// Allows these commands, too.
  public Workspace commands(AllowedCommand... allowed) {
    var copy = new Workspace(this);
    copy.programs = programs.and(List.of(allowed));
    return copy;
  }

  /// Runs commands in a tier. From [Tier#LANDLOCK] on they write in the writable directories of the
  /// workspace alone, read in these, in the others and in those of the system, and reach no
  /// network.
  ///
  /// @throws dev.superstep.sandbox.SandboxError.TierUnavailable if the machine cannot hold that
  ///   tier
  public Workspace sandbox(Sandbox runner, Tier strictness) {
    runner.require(strictness);
    var copy = new Workspace(this);
    copy.sandbox = runner;
    copy.tier = strictness;
    return copy;
  }

  /// Restricts programs to these directories; unless set, to those of the `PATH` when the workspace
  /// was made.
  public Workspace programsIn(Path... directories) {
    var copy = new Workspace(this);
    for (var one : directories) {
      if (!one.isAbsolute()) {
        throw new IllegalArgumentException("directories must be absolute, one was `" + one + "`");
      }
    }
    copy.programs = new CommandPolicy(programs.allowed(), List.of(directories));
    return copy;
  }

  /// Passes these variables of the process to commands, if they are set. Without this, a command
  /// sees only the language, the time zone and a search path.
  public Workspace passing(String... names) {
    return with(inherited(List.of(names)));
  }

  /// Passes a variable to commands.
  public Workspace variable(String name, String value) {
    return with(Map.of(name, value));
  }

  private Workspace with(Map<String, String> more) {
    var copy = new Workspace(this);
    var all = new TreeMap<>(variables);
    all.putAll(more);
    copy.variables = Map.copyOf(all);
    return copy;
  }

  /// Allows fetches from these hosts: a name, `*.example.org` for all names below it, or `*`, each
  /// with an optional `:` and port. Ports 80 and 443 are the default. A numeric address may be
  /// private; a name must not resolve to a private address.
  public Workspace hosts(String... names) {
    var copy = new Workspace(this);
    copy.hosts = hosts.and(Stream.of(names).map(n -> AllowedHost.parse(n, false)).toList());
    return copy;
  }

  /// Allows fetches from these hosts even if they are in the local network or this machine.
  public Workspace privateHosts(String... names) {
    var copy = new Workspace(this);
    copy.hosts = hosts.and(Stream.of(names).map(n -> AllowedHost.parse(n, true)).toList());
    return copy;
  }

  /// Uses other certificates than those of the JVM to prove the identity of hosts.
  public Workspace tls(SSLContext own) {
    var copy = new Workspace(this);
    copy.web = new UrlFetcher.Web(web.lookup(), own);
    return copy;
  }

  /// Returns a copy with another name lookup.
  Workspace lookup(AddressLookup other) {
    var copy = new Workspace(this);
    copy.web = new UrlFetcher.Web(other, web.tls());
    return copy;
  }

  /// Sets the limits.
  public Workspace limits(WorkspaceLimits most) {
    var copy = new Workspace(this);
    copy.limits = most;
    return copy;
  }

  /// Sets the name of the workspace in events; by default that of its directory.
  public Workspace policy(String name) {
    if (name.isBlank()) throw new IllegalArgumentException("policy must not be blank");
    var copy = new Workspace(this);
    copy.policy = name;
    return copy;
  }

  /// Adds a listener.
  public Workspace listener(WorkspaceListener hears) {
    var copy = new Workspace(this);
    copy.listeners = Stream.concat(listeners.stream(), Stream.of(hears)).toList();
    return copy;
  }

  /// The canonical path of its directory.
  public Path root() {
    return places.roots().getFirst().real();
  }

  /// The name of the workspace in events.
  public String policy() {
    return policy;
  }

  /// The tier that commands run in.
  public Tier tier() {
    return tier;
  }

  /// The limits of each operation.
  public WorkspaceLimits limits() {
    return limits;
  }

  /// The allowed commands, in the form that models see.
  public List<String> allowedCommands() {
    return programs.allowed().stream().map(AllowedCommand::toString).toList();
  }

  /// The allowed hosts, in the form that models see.
  public List<String> allowedHosts() {
    return hosts.allowed().stream().map(AllowedHost::toString).toList();
  }

  /// Resolves a path, relative to the root or absolute. The file need not exist. The answer may be
  /// outdated at once; [#read], [#write] and [#list] check again as they open files.
  ///
  /// @throws ToolError.PathEscape if it leads out of the workspace
  /// @throws ToolError.Io if the file system cannot be read
  public Path resolve(String path) {
    return place(path).path();
  }

  /// Resolves a path at which [#write] may write, for a file that is written in another way, such
  /// as by an editor. The answer may be outdated at once.
  ///
  /// @throws ToolError.PathEscape if it is not inside, or where nothing may be written
  /// @throws ToolError.Io if the file system cannot be read
  public Path resolveWritable(String path) {
    return writable(path).path();
  }

  /// Reads a whole text file.
  ///
  /// @throws ToolError.PathEscape if it is not inside
  /// @throws ToolError.Io if it cannot be read
  /// @throws ToolError.Other if it is not text in UTF-8, or is longer than the limit
  public String read(String path) {
    return text(path, whole(path));
  }

  /// Reads a whole file that need not be text.
  ///
  /// @throws ToolError.PathEscape if it is not inside
  /// @throws ToolError.Io if it cannot be read
  /// @throws ToolError.Other if it is longer than the limit
  public byte[] readBytes(String path) {
    var bytes = whole(path);
    var copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return copy;
  }

  private ByteBuffer whole(String path) {
    var read = bytes(path);
    if (!read.isCut()) return read.bytes();
    throw new ToolError.Other(
        path,
        "It has more than the %d bytes that may be read. Take another file."
            .formatted(limits.readBytes()));
  }

  /// Reads the start of a file, up to the limit.
  BoundedPrefix bytes(String path) {
    var place = place(path);
    return guarded(() -> tree.read(place, limits.readBytes()));
  }

  /// @throws ToolError.Other if it is not UTF-8
  static String text(String path, ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(bytes)
          .toString();
    } catch (CharacterCodingException _) {
      throw new ToolError.Other(path, "It is not text in UTF-8. Take another file.");
    }
  }

  /// Writes a file in UTF-8, and creates its parent directories. A concurrent reader sees either
  /// the whole old text or the whole new one.
  ///
  /// @return whether the file is new
  /// @throws ToolError.PathEscape if it is not inside, or where nothing may be written
  /// @throws ToolError.Io if it cannot be written
  /// @throws ToolError.Other if it is longer than the limit
  public boolean write(String path, String text) {
    var place = writable(path);
    var content = text.getBytes(StandardCharsets.UTF_8);
    if (content.length > limits.writtenBytes()) {
      throw new ToolError.Other(
          path,
          "It would have %d bytes, and the most are %d. Write less, or several files."
              .formatted(content.length, limits.writtenBytes()));
    }
    return guarded(() -> tree.write(place, content));
  }

  private ResolvedPath writable(String path) {
    var place = place(path);
    if (!place.root().isWritable()) {
      throw violated(new ToolError.PathEscape(path, "leads to where files may only be read"));
    }
    if (place.isOfGit()) {
      throw violated(
          new ToolError.PathEscape(path, "leads into a `.git`, whose files run programs"));
    }
    return place;
  }

  /// Deletes a file. A path with a link deletes what it leads to.
  ///
  /// @throws ToolError.PathEscape if it is not inside, or where nothing may be written
  /// @throws ToolError.Io if it cannot be deleted, such as a directory
  public void delete(String path) {
    var place = writable(path);
    var _ = guarded(() -> tree.delete(place));
  }

  /// Lists a directory and those below it, down to the depth limit.
  ///
  /// @param path empty for the root
  /// @throws ToolError.PathEscape if it is not inside
  /// @throws ToolError.Io if it cannot be listed
  public FolderListing list(String path) {
    return list(path, limits.depth());
  }

  /// Lists a directory and those below it, down to a depth.
  ///
  /// @param depth 1 for the directory alone; the depth limit also applies
  public FolderListing list(String path, int depth) {
    if (depth < 1) throw new IllegalArgumentException("depth must be at least 1, was " + depth);
    var place = place(path);
    int most = Math.min(depth, limits.depth());
    return guarded(() -> tree.list(place, most, limits.entries()));
  }

  /// Checks whether a command may run, and throws if it may not.
  ///
  /// @param command the program and its arguments
  /// @return the file of the program
  /// @throws ToolError.ForbiddenCommand if it may not
  public Path check(List<String> command) {
    return guarded(() -> programs.check(command, places)).program();
  }

  /// Runs a command and waits for its end. A non-zero exit code is a result, not an error.
  ///
  /// @param command the program and its arguments
  /// @throws ToolError.ForbiddenCommand if it may not run
  /// @throws ToolError.PathEscape if an argument leads out of the workspace
  /// @throws ToolError.Io if it does not start
  /// @throws InterruptedException if this thread is interrupted; the command is then killed
  public CommandResult run(List<String> command) throws InterruptedException {
    var words = List.copyOf(command);
    var permit = guarded(() -> programs.check(words, places));
    var variables = variablesOfCommands();
    var order = new CommandOrder(words, permit.program(), root(), variables);
    try {
      if (permit.arguments() == AllowedCommand.Arguments.CHECKED_FOR_GIT) order = guarded(order);
      publish(new WorkspaceEvent.CommandStarted(policy, tier));
      return run(order, limits.outputBytes()).of(words);
    } catch (IOException e) {
      throw new ToolError.Io("run", words.getFirst(), e);
    }
  }

  private CommandResult run(CommandOrder order, int outputMax)
      throws InterruptedException, IOException {
    var command = order.in(tier, places.roots(), limits.commandTime(), outputMax);
    try {
      return order.result(sandbox.run(command));
    } catch (SandboxError e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /// Adds settings that stop a git command from running other programs; it asks git for the
  /// configured filters first.
  private CommandOrder guarded(CommandOrder order) throws InterruptedException, IOException {
    var variables = new LinkedHashMap<>(order.variables());
    variables.putAll(GitGuard.variables(root()));
    var listing = GitGuard.listing(order.command().getFirst());
    var listed = run(new CommandOrder(listing, order.program(), root(), variables), SETTINGS_MAX);
    if (!listed.isGood() || listed.out().isCut()) {
      throw new IOException("the settings of the repository cannot be read");
    }
    variables.putAll(GitGuard.without(GitGuard.filters(listed.out().text())));
    return new CommandOrder(GitGuard.guarded(order.command()), order.program(), root(), variables);
  }

  private Map<String, String> variablesOfCommands() {
    var all = new LinkedHashMap<String, String>();
    all.put("PATH", programs.searchPath(places));
    all.putAll(variables);
    return all;
  }

  /// Fetches a text.
  ///
  /// @throws ToolError.Http if its host is not allowed or does not answer well
  /// @throws InterruptedException if this thread is interrupted
  public FetchedText fetch(URI uri) throws InterruptedException {
    return new UrlFetcher(hosts, limits, web, this::violated).fetch(uri);
  }

  private ResolvedPath place(String path) {
    return guarded(() -> places.find(path));
  }

  private <T> T guarded(Supplier<T> work) {
    try {
      return work.get();
    } catch (ToolError.PathEscape | ToolError.ForbiddenCommand e) {
      throw violated(e);
    }
  }

  private <E extends ToolError> E violated(E error) {
    publish(new WorkspaceEvent.Violated(policy, error.code(), caller.tool(), caller.call()));
    return error;
  }

  void publish(WorkspaceEvent event) {
    for (var listener : listeners) {
      try {
        listener.on(event);
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "A listener of " + event.name() + " failed.", e);
      }
    }
  }

  /// Returns a copy for a tool call, which publishes violations as events of the run.
  public Workspace usedBy(ToolContext context) {
    var copy = listener(event -> context.emit(event.name(), event));
    copy.caller = new Caller(context.tool(), context.callId());
    return copy;
  }

  /// Returns a copy that uses another access to the file system.
  Workspace over(Tree other) {
    var copy = new Workspace(this);
    copy.tree = other;
    return copy;
  }

  PathResolver places() {
    return places;
  }

  Tree tree() {
    return tree;
  }

  private Map<String, String> inherited(List<String> names) {
    var found = new TreeMap<String, String>();
    for (var name : names) environment.get(name).ifPresent(value -> found.put(name, value));
    return found;
  }

  @Override
  public String toString() {
    return "Workspace[" + root() + ", tier " + tier + "]";
  }
}
