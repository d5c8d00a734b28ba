package dev.superstep.build;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// The types and methods of the sources, as javac parses them (it does not resolve names).
final class Declarations {
  private Declarations() {}

  record Type(Path file, long line, String name, boolean top, boolean isPublic) {}

  /// `lines` counts from the first annotation to the closing brace; `open` says that it is public
  /// or protected; `overrides` that its shape is not its own choice.
  record Method(
      Path file,
      long line,
      String name,
      long lines,
      int parameters,
      boolean constructor,
      boolean open,
      boolean overrides) {}

  record Found(List<Type> types, List<Method> methods) {}

  /// Parses all the sources in one go. A syntax error would have stopped the build before.
  static Found in(List<SourceFile> sources) {
    var found = new Found(new ArrayList<>(), new ArrayList<>());
    if (sources.isEmpty()) {
      return found;
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      Path root = sources.getFirst().root();
      var paths = sources.stream().map(source -> root.resolve(source.path())).toList();
      Iterable<? extends JavaFileObject> units = files.getJavaFileObjectsFromPaths(paths);
      var task = (JavacTask) compiler.getTask(null, files, _ -> {}, List.of(), null, units);
      var positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        Path file = root.relativize(Path.of(unit.getSourceFile().toUri()));
        unit.accept(new Reader(file, unit, positions, found), null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static final class Reader extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final Path file;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final Found found;
    private String typeName = "";
    private long components;

    Reader(Path file, CompilationUnitTree unit, SourcePositions positions, Found found) {
      this.file = file;
      this.unit = unit;
      this.positions = positions;
      this.found = found;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
      String outer = typeName;
      String name = type.getSimpleName().toString();
      boolean isPublic = type.getModifiers().getFlags().contains(Modifier.PUBLIC);
      if (!name.isEmpty()) {
        found.types.add(new Type(file, firstLine(type), name, outer.isEmpty(), isPublic));
      }
      long outerComponents = components;
      typeName = name;
      components = components(type);
      super.visitClass(type, null);
      typeName = outer;
      components = outerComponents;
      return null;
    }

    /// The number of components of a record, or -1. A record's other fields are static.
    private static long components(ClassTree type) {
      if (type.getKind() != Tree.Kind.RECORD) return -1;
      return type.getMembers().stream()
          .filter(member -> member instanceof VariableTree)
          .map(member -> ((VariableTree) member).getModifiers().getFlags())
          .filter(flags -> !flags.contains(Modifier.STATIC))
          .count();
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
      boolean constructor = method.getReturnType() == null;
      Set<Modifier> flags = method.getModifiers().getFlags();
      boolean open = flags.contains(Modifier.PUBLIC) || flags.contains(Modifier.PROTECTED);
      boolean overrides =
          method.getModifiers().getAnnotations().stream()
              .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
      found.methods.add(
          new Method(
              file,
              firstLine(method),
              typeName + "." + (constructor ? "new" : method.getName()),
              lastLine(method) - firstLine(method) + 1,
              // A record's canonical constructor takes its components.
              constructor && method.getParameters().size() == components
                  ? 0
                  : method.getParameters().size(),
              constructor,
              open,
              overrides));
      return super.visitMethod(method, null);
    }

    private long firstLine(Tree tree) {
      return unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
    }

    private long lastLine(Tree tree) {
      return unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree));
    }
  }
}
