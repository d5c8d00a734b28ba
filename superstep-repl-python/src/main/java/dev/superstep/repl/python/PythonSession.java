package dev.superstep.repl.python;

import dev.superstep.language.Source;
import dev.superstep.repl.CellResult;
import dev.superstep.repl.CellSession;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.sandbox.SandboxError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A session whose interpreter may be lost at any time. A cell that a limit ends, and one whose
/// interpreter dies, is undone: the next cell gets a fresh interpreter that ran the cells before it
/// again, with the same answers. If that does something else, the session has ended.
final class PythonSession implements CellSession {
  private final PythonStart start;
  private final ReplPolicy policy;
  private final HostTable host;
  private final SessionJournal journal;
  private final CellReport report;
  private final Map<String, CellResult.Variable> variables = new LinkedHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Interpreter running;
  private volatile boolean isClosed;
  private @Nullable CellEnded over;
  private int cells;

  PythonSession(PythonStart start, ReplPolicy policy, Capabilities host) {
    this.start = start;
    this.policy = policy;
    this.host = new HostTable(host);
    this.journal = new SessionJournal(policy.memoryBytes());
    this.report = new CellReport(policy, this.host);
  }

  @Override
  public CellResult executeHere(String source) {
    lock.lock();
    try {
      var cell = Source.of("cell " + ++cells, source);
      if (cell.bytes() > policy.scriptBytes()) return report.tooLong(cell);
      return run(cell);
    } finally {
      lock.unlock();
    }
  }

  private CellResult run(Source cell) {
    var printed = new Printed(policy.outputMost());
    boolean isWhole = false;
    try {
      if (isClosed) throw new CellEnded("cancelled", "the session was closed");
      var python = interpreter();
      var answers = journal.new Answers();
      var ran =
          python.run(
              cells,
              cell.text(),
              policy.cellTime(),
              new Interpreter.Listener() {
                @Override
                public void printed(String text) {
                  printed.add(text);
                }

                @Override
                public String called(ChildMessage.Call call) throws InterruptedException {
                  var answer = host.answer(call);
                  if (!call.name().equals(HostTable.READ)) answers.add(answer);
                  return answer;
                }
              });
      var result = report.of(cell, cells, printed.all(), ran);
      journal.add(new SessionJournal.Cell(cells, cell.text(), answers.all(), ran.digest()));
      ran.changed().forEach(this::changed);
      isWhole = true;
      return result;
    } catch (CellEnded e) {
      return report.ended(cell, printed.all(), e);
    } catch (ProtocolBroken e) {
      return report.ended(cell, printed.all(), lost("backend-protocol", e));
    } catch (SandboxError e) {
      return report.ended(cell, printed.all(), lost("backend-lost", e));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return report.ended(
          cell, printed.all(), new CellEnded("cancelled", "the cell was cancelled"));
    } finally {
      if (!isWhole) drop();
    }
  }

  private CellEnded lost(String code, RuntimeException why) {
    if (isClosed) return new CellEnded("cancelled", "the session was closed");
    return new CellEnded(
        code, "the interpreter was lost, and the cell was undone: " + why.getMessage());
  }

  private void changed(CellResult.Variable variable) {
    if (variable.type().isEmpty()) variables.remove(variable.name());
    else variables.put(variable.name(), variable);
  }

  private Interpreter interpreter() throws InterruptedException {
    var known = running;
    if (known != null) return known;
    if (over != null) throw over;
    var made = Interpreter.start(start, host.names());
    running = made;
    // Closed meanwhile: nobody would do it again.
    if (isClosed) made.close();
    for (var cell : journal.cells()) repeat(made, cell);
    return made;
  }

  private void repeat(Interpreter python, SessionJournal.Cell cell) throws InterruptedException {
    var left = cell.answers().iterator();
    var ran =
        python.run(
            cell.number(),
            cell.source(),
            policy.cellTime(),
            new Interpreter.Listener() {
              @Override
              public void printed(String text) {}

              @Override
              public String called(ChildMessage.Call call) throws InterruptedException {
                if (call.name().equals(HostTable.READ)) return host.answer(call);
                if (!left.hasNext()) throw differs(cell);
                return left.next();
              }
            });
    if (!ran.digest().equals(cell.digest())) throw differs(cell);
  }

  private CellEnded differs(SessionJournal.Cell cell) {
    over =
        new CellEnded(
            "backend-lost",
            "the session has ended: its interpreter was lost, and cell %d does something else when it"
                    .formatted(cell.number())
                + " runs again. Begin another session, without clocks and chance");
    return over;
  }

  /// Kills the interpreter. The next cell gets another.
  private void drop() {
    var known = running;
    running = null;
    if (known != null) known.close();
  }

  @Override
  public List<CellResult.Variable> variables() {
    lock.lock();
    try {
      return List.copyOf(variables.values());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    isClosed = true;
    var known = running;
    if (known != null) known.close();
  }
}
