package dev.superstep.cli.run;

import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.UsageError;
import dev.superstep.program.Program;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/// A program made from a folder, and the loader of its classes.
public record LoadedProgram(Program program, URLClassLoader loader) implements AutoCloseable {
  /// Loads and makes the program: from here on, its code runs.
  ///
  /// @throws UsageError that says what is wrong with the class
  public static LoadedProgram of(ProgramFolder folder) {
    var urls = folder.classes().stream().map(LoadedProgram::url).toArray(URL[]::new);
    var loader =
        new URLClassLoader("superstep-program", urls, LoadedProgram.class.getClassLoader());
    try {
      return new LoadedProgram(made(folder, loader), loader);
    } catch (RuntimeException e) {
      close(loader);
      throw e;
    }
  }

  @Override
  public void close() {
    close(loader);
  }

  private static Program made(ProgramFolder folder, ClassLoader loader) {
    var name = folder.programClass();
    try {
      var type = Class.forName(name, true, loader);
      if (!Program.class.isAssignableFrom(type)) {
        throw wrong(folder, "is not a " + Program.class.getName(), null);
      }
      return (Program) type.getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw wrong(folder, "is not in " + folder.classes() + "; build it, or correct the name", e);
    } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
      throw wrong(folder, "is not public with a public constructor without arguments", e);
    } catch (InvocationTargetException e) {
      throw wrong(folder, "cannot be made: " + e.getCause(), e);
    } catch (LinkageError e) {
      throw wrong(folder, "cannot be loaded: " + e, e);
    }
  }

  private static UsageError wrong(
      ProgramFolder folder, String why, @org.jspecify.annotations.Nullable Throwable cause) {
    var message =
        "Class `%s`, which %s names, %s."
            .formatted(folder.programClass(), folder.root().resolve(ProgramFolder.FILE), why);
    return cause == null
        ? new UsageError("program.class", message)
        : new UsageError("program.class", message, cause);
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
