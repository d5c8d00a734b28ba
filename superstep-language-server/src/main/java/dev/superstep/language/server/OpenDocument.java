package dev.superstep.language.server;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.language.check.Blueprints;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Compilation;
import dev.superstep.language.check.Names;
import dev.superstep.language.rag.SyntaxLimits;
import dev.superstep.language.rag.SyntaxTree;
import java.net.URI;
import java.util.List;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextDocumentContentChangeEvent;
import org.jspecify.annotations.Nullable;

/// A version of a source that an editor shows. What is made of it is made when first asked for, by
/// the one thread that answers.
final class OpenDocument {
  static final SyntaxLimits LIMITS = SyntaxLimits.WRITTEN;

  private final String uri;
  private final int version;
  private final Source source;
  private final ProjectNames project;
  private @Nullable Names names;
  private @Nullable Compilation compilation;
  private @Nullable SymbolTable symbols;

  OpenDocument(String uri, int version, String text, ProjectNames project) {
    this.uri = uri;
    this.version = version;
    this.source = Source.of(uri, text);
    this.project = project;
  }

  String uri() {
    return uri;
  }

  int version() {
    return version;
  }

  Source source() {
    return source;
  }

  /// The next version, with changes in the order in which they were made.
  OpenDocument changed(int next, List<TextDocumentContentChangeEvent> changes) {
    var now = this;
    for (var change : changes) {
      var text = change.getText();
      if (change.getRange() != null) {
        var span = now.span(change.getRange());
        var before = now.source.text();
        text = before.substring(0, span.start()) + text + before.substring(span.end());
      }
      now = new OpenDocument(uri, next, text, project);
    }
    return now == this ? new OpenDocument(uri, next, source.text(), project) : now;
  }

  Names names() {
    var known = names;
    if (known == null) {
      known = lookUp();
      names = known;
    }
    return known;
  }

  private Names lookUp() {
    try {
      return project.of(URI.create(uri));
    } catch (IllegalArgumentException _) {
      // Editors have names for what has no place yet.
      return Names.unknown();
    }
  }

  Compilation compilation() {
    var known = compilation;
    if (known == null) {
      known = Blueprints.compile(source, names(), CheckPolicy.file(uri).limits(LIMITS));
      compilation = known;
    }
    return known;
  }

  SyntaxTree tree() {
    return compilation().tree();
  }

  SymbolTable symbols() {
    var known = symbols;
    if (known == null) {
      known = SymbolTable.of(tree());
      symbols = known;
    }
    return known;
  }

  /// The tree of another text in the place of this one.
  static SyntaxTree parse(String text) {
    return SyntaxTree.parse(Source.of("", text), LIMITS, new Diagnostics());
  }

  /// The offset of a position. Beyond the end of a line, it is the end of the line.
  int offset(Position at) {
    if (at.getLine() < 0) return 0;
    if (at.getLine() >= source.lineCount()) return source.length();
    var line = source.lineSpan(at.getLine() + 1);
    return line.start() + Math.clamp(at.getCharacter(), 0, line.length());
  }

  Span span(Range range) {
    int start = offset(range.getStart());
    return new Span(start, Math.max(start, offset(range.getEnd())));
  }

  /// The position of an offset, whose columns count the units of UTF-16.
  Position position(int offset) {
    int line = source.line(offset);
    return new Position(line - 1, offset - source.lineSpan(line).start());
  }

  Range range(Span span) {
    return new Range(position(span.start()), position(span.end()));
  }
}
