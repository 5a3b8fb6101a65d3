/**
 * What a read is to do, as checked values. They are made once, by the builder of the source or by
 * the table factory, and travel with the job. Nothing here touches the table.
 */
package io.hudilite.source.config;
