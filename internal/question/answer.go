package question

// Answer gives the person's answer to the question of that index in the form of
// that serial; ErrNotShown means the screen has moved on since. Serial 0 means
// whatever is shown, and then the index does not matter.
func (d *Desk) Answer(serial uint64, index int, input string) error {
	return d.take(serial, func(a *asking) ([]string, error) {
		if serial != 0 && index != len(a.answers) {
			return nil, ErrNotShown
		}
		return []string{input}, nil
	})
}

// AnswerRest gives the answers to all questions left, or none: each is checked
// before any is taken.
func (d *Desk) AnswerRest(serial uint64, inputs []string) error {
	return d.take(serial, func(a *asking) ([]string, error) {
		if len(inputs) != len(a.form.Questions)-len(a.answers) {
			return nil, ErrCount
		}
		return inputs, nil
	})
}

// take checks and records the next answers of a form. What they are is settled
// under the lock, so that a question cannot change between looking and
// answering.
func (d *Desk) take(serial uint64, next func(*asking) ([]string, error)) error {
	if err := d.record(serial, next); err != nil {
		return err
	}
	d.changed()
	return nil
}

func (d *Desk) record(serial uint64, next func(*asking) ([]string, error)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	a, err := d.find(serial)
	if err != nil {
		return err
	}
	inputs, err := next(a)
	if err != nil {
		return err
	}
	answers := a.answers
	for _, input := range inputs {
		index := len(answers)
		q := a.form.Questions[index]
		value, err := q.Canonical(input)
		if err != nil {
			return &AnswerError{index, q, err}
		}
		answers = append(answers, Answer{q.ID, value})
	}
	a.answers = answers
	if len(answers) == len(a.form.Questions) {
		d.finish(answers, nil)
		d.startSuccess(a.form.Parameters)
	}
	return nil
}
