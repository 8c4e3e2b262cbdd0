package httpapi

import (
	"github.com/maquininha/maquininha/internal/totp"
)

// factorIssuer is what the code is listed under in a telephone.
const factorIssuer = "maquininha hub"

// proposeFactor makes a secret that nobody keeps yet: it counts once a code of it comes back with it.
func (api *API) proposeFactor(r *request) (any, error) {
	secret := totp.NewSecret()
	return struct {
		Secret string `json:"secret"`
		URI    string `json:"uri"`
	}{secret.String(), secret.URI(factorIssuer, r.caller.Name)}, nil
}

func (api *API) setFactor(r *request) (any, error) {
	var asked struct {
		Secret  string `json:"secret"`
		Code    string `json:"code"`
		Current string `json:"current"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	return nil, api.Fleet.SetFactor(r.Context(), r.caller.Actor, r.PathValue("id"), asked.Secret, asked.Code, asked.Current)
}

func (api *API) dropFactor(r *request) (any, error) {
	var asked struct {
		Current string `json:"current"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	return nil, api.Fleet.DropFactor(r.Context(), r.caller.Actor, r.PathValue("id"), asked.Current)
}
