package io.hudilite.core.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;

/** What one logger says, of all jobs in this JVM, until it is closed. */
public final class LogLines implements AutoCloseable {
  private final List<String> texts = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final AbstractAppender appender =
      new AbstractAppender("lines", null, null, false, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          texts.add(event.getMessage().getFormattedMessage());
        }
      };

  private LogLines(Logger logger) {
    this.logger = logger;
    appender.start();
    logger.addAppender(appender);
  }

  /** Those of at least level INFO. */
  public static LogLines of(String logger) {
    Logger found = (Logger) LogManager.getLogger(logger);
    LogLines lines = new LogLines(found);
    if (!found.isInfoEnabled()) {
      // Behind the appender, with which the logger gets a configuration of its own.
      Configurator.setLevel(found, Level.INFO);
    }
    return lines;
  }

  public List<String> texts() {
    return List.copyOf(texts);
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    appender.stop();
  }
}
