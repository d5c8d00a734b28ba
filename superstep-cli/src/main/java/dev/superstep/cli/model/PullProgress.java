package dev.superstep.cli.model;

import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.model.local.PullListener;
import java.util.Locale;

/// Shows the progress of a download: a bar on a terminal, else a line for each tenth. For one
/// thread at a time.
public final class PullProgress implements PullListener {
  private static final int WIDTH = 30;
  private static final int WHOLE = 100;
  private static final int TENTH = 10;
  private static final double MEGA = 1e6;

  private final Terminal terminal;
  private long shown = -1;
  private boolean drawn;

  public PullProgress(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void onSource(String source) {
    clear();
    shown = -1;
    terminal.err().println("trying " + SafeText.line(source));
    terminal.err().flush();
  }

  @Override
  public void onProgress(long bytes, long total) {
    if (total <= 0) return;
    long percent = Math.min(WHOLE, bytes * WHOLE / total);
    long step = terminal.redraws() ? percent : percent / TENTH * TENTH;
    if (step == shown) return;
    shown = step;
    var text =
        String.format(Locale.ROOT, "%3d %%  %.0f of %.0f MB", step, bytes / MEGA, total / MEGA);
    if (terminal.redraws()) draw(percent, text);
    else terminal.err().println(text);
    terminal.err().flush();
  }

  /// Erases the bar.
  public void clear() {
    if (!drawn) return;
    terminal.err().print("\r\u001b[K");
    terminal.err().flush();
    drawn = false;
  }

  private void draw(long percent, String text) {
    int full = (int) (percent * WIDTH / WHOLE);
    var bar = "#".repeat(full) + "-".repeat(WIDTH - full);
    terminal.err().print("\r\u001b[K[" + bar + "] " + text);
    drawn = true;
  }
}
