package dev.superstep.cli.text;

import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.TextFile;
import dev.superstep.cli.host.UsageError;
import dev.superstep.model.ChatModel;
import dev.superstep.rag.component.Components;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Component;
import dev.superstep.registry.InvalidComponentName;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.tool.Tool;
import dev.superstep.workspace.Workspace;
import dev.superstep.workspace.WorkspaceTools;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The components that a text may name: the models, prompts and tools of its folder, and what the
/// folder's class in Java registers. Closing it closes the loader of that class.
public final class TextComponents implements AutoCloseable {
  private static final int PROMPT_BYTES_MAX = 256 * 1024;
  private static final Set<String> BUILT_IN = Set.of("read_file", "list_files", "write_file");

  private final Registry registry;
  private final Map<String, String> prompts;
  private final @Nullable URLClassLoader loader;

  private TextComponents(
      Registry registry, Map<String, String> prompts, @Nullable URLClassLoader loader) {
    this.registry = registry;
    this.prompts = prompts;
    this.loader = loader;
  }

  /// Registers all that a folder names but tools of servers.
  ///
  /// @throws UsageError that says what is wrong
  public static TextComponents of(RagFolder folder, Map<String, ChatModel> models) {
    return of(folder, models, Map.of());
  }

  /// Registers all that a folder names. From here on the code of its class runs, if it has one.
  ///
  /// @param served tools of servers, by their names
  /// @throws UsageError that says what is wrong
  public static TextComponents of(
      RagFolder folder, Map<String, ChatModel> models, Map<String, Tool> served) {
    var registry = Registry.named("folder");
    models.forEach((name, model) -> register(registry, Kind.MODEL, name, model));
    var prompts = new LinkedHashMap<String, String>();
    folder
        .prompts()
        .forEach(
            (name, file) -> prompts.put(name, TextFile.read(file, PROMPT_BYTES_MAX, "prompt")));
    prompts.forEach((name, text) -> register(registry, RagKind.TEMPLATE, name, text));
    folder.tools().ifPresent(tools -> register(registry, tools));
    served.forEach((name, tool) -> register(registry, Kind.TOOL, name, tool));
    if (folder.components().isEmpty()) return new TextComponents(registry, prompts, null);
    var code = folder.components().get();
    var loader = loader(code.classes());
    try {
      made(folder, code.name(), loader).register(registry);
      return new TextComponents(registry, prompts, loader);
    } catch (RuntimeException e) {
      close(loader);
      throw e;
    }
  }

  /// The registry.
  public Registry registry() {
    return registry;
  }

  /// The texts of prompts in files, by name.
  Map<String, String> prompts() {
    return prompts;
  }

  @Override
  public void close() {
    if (loader != null) close(loader);
  }

  /// Those of some names of tools that are no built-in tools of the folder: a server must not come
  /// between a text and these.
  static Set<String> others(RagFolder folder, Set<String> names) {
    var others = new TreeSet<>(names);
    if (folder.tools().isPresent()) others.removeAll(BUILT_IN);
    return others;
  }

  private static void register(Registry registry, RagFolder.ToolRoot tools) {
    var place = Workspace.at(tools.root());
    register(registry, Kind.TOOL, "read_file", WorkspaceTools.readFile(place));
    register(registry, Kind.TOOL, "list_files", WorkspaceTools.listFiles(place));
    if (!tools.isWritten()) return;
    register(registry, Kind.TOOL, "write_file", WorkspaceTools.writeFile(place));
  }

  private static <T> void register(Registry registry, Kind<T> kind, String name, T thing) {
    try {
      registry.register(Component.of(kind, name, thing));
    } catch (InvalidComponentName e) {
      throw new UsageError(
          "config.broken",
          "`%s` is no name for a %s. Use lower case letters, digits and underscores."
              .formatted(name, kind.name()),
          e);
    }
  }

  private static Components made(RagFolder folder, String name, ClassLoader loader) {
    try {
      var type = Class.forName(name, true, loader);
      if (!Components.class.isAssignableFrom(type)) {
        throw wrong(folder, name, "is not a " + Components.class.getName(), null);
      }
      return (Components) type.getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw wrong(folder, name, "is not among its classes; build it, or correct the name", e);
    } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
      throw wrong(folder, name, "is not public with a public constructor without arguments", e);
    } catch (InvocationTargetException e) {
      throw wrong(folder, name, "cannot be made: " + e.getCause(), e);
    } catch (LinkageError e) {
      throw wrong(folder, name, "cannot be loaded: " + e, e);
    }
  }

  private static UsageError wrong(
      RagFolder folder, String name, String why, @Nullable Throwable cause) {
    var message = "Class `%s`, which folder %s names, %s.".formatted(name, folder.root(), why);
    return cause == null
        ? new UsageError("program.class", message)
        : new UsageError("program.class", message, cause);
  }

  private static URLClassLoader loader(List<Path> classes) {
    var urls = classes.stream().map(TextComponents::url).toArray(URL[]::new);
    var parent = TextComponents.class.getClassLoader();
    return new URLClassLoader("superstep-components", urls, parent);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("a file always has a URL: " + path, e);
    }
  }

  private static void close(URLClassLoader loader) {
    try {
      loader.close();
    } catch (IOException _) {
      // Nothing was written, and the process is about to end.
    }
  }
}
