package pto

import (
	"context"
	"errors"
)

// RunContext runs a function of the program as [Program.Run] does, until done is done: then the run
// is stopped between two of its steps, and returns the error of done.
func (program *Program) RunContext(done context.Context, ctx *Context, entry string) error {
	if err := done.Err(); err != nil {
		return err
	}
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-done.Done():
			program.Stop()
		case <-ended:
		}
	}()
	err := program.Run(ctx, entry)
	close(ended)
	<-watched
	if done.Err() == nil {
		return err
	}
	program.ForgetStop() // it may have come when the run was over
	if errors.Is(err, Rule("stopped")) {
		return done.Err()
	}
	return err
}
