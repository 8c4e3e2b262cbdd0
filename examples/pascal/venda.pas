program venda;
{ Uma venda inteira em Free Pascal (Lazarus): abre, lança itens, pergunta o CPF, cobra, finaliza e imprime.
  Em Delphi, troque TFPHTTPClient por THTTPClient (System.Net.HttpClient), com ResponseTimeout de dez minutos. }

{$mode objfpc}{$H+}{$codepage utf8}

uses
  {$ifdef unix}cwstring,{$endif}
  Classes, SysUtils, fphttpclient, fpjson, jsonparser;

type
  { O terminal respondeu, e não foi um sucesso. }
  ERecusado = class(Exception)
    Status: Integer;
    constructor Create(AStatus: Integer; const Mensagem: string);
  end;

  { A conexão falhou: o pedido pode ter sido atendido ou não. }
  ESemResposta = class(Exception);

constructor ERecusado.Create(AStatus: Integer; const Mensagem: string);
begin
  inherited Create(Mensagem);
  Status := AStatus;
end;

function Ambiente(const Nome, Padrao: string): string;
begin
  Result := GetEnvironmentVariable(Nome);
  if Result = '' then
    Result := Padrao;
end;

{ O JSON vai como texto, com os valores já escritos: um Double ganharia dígitos que não são dele. }
function Enviar(const Metodo, Caminho: string; const Corpo: string = ''): TJSONData;
var
  Cliente: TFPHTTPClient;
  Resposta: TStringStream;
begin
  Result := nil;
  Resposta := TStringStream.Create('');
  Cliente := TFPHTTPClient.Create(nil);
  try
    Cliente.UserName := Ambiente('MAQUININHA_USERNAME', 'admin');
    Cliente.Password := GetEnvironmentVariable('MAQUININHA_PASSWORD');
    Cliente.ConnectTimeout := 10000;
    Cliente.IOTimeout := 600000; { perguntas e pagamentos esperam pela pessoa: dez minutos, não segundos }
    if Corpo <> '' then
    begin
      Cliente.AddHeader('Content-Type', 'application/json');
      Cliente.RequestBody := TStringStream.Create(Corpo);
    end;
    try
      Cliente.HTTPMethod(Metodo, Ambiente('MAQUININHA_URL', 'http://localhost:9050') + Caminho, Resposta, []);
      Result := GetJSON(Resposta.DataString);
    except
      on E: Exception do
        raise ESemResposta.Create(E.Message);
    end;
    if Result = nil then
      raise ESemResposta.Create('resposta vazia');
    if Cliente.ResponseStatusCode <> 200 then
    try
      raise ERecusado.Create(Cliente.ResponseStatusCode, Result.FindPath('message').AsString);
    finally
      FreeAndNil(Result);
    end;
  finally
    Cliente.RequestBody.Free;
    Cliente.Free;
    Resposta.Free;
  end;
end;

{ Ocupado (503) recusa antes de fazer qualquer coisa: é seguro tentar de novo. Devolve o texto do campo pedido. }
function Pedir(const Metodo, Caminho, Corpo: string; const Campo: string = 'message'): string;
var
  Resposta: TJSONData;
  Vez: Integer;
begin
  Resposta := nil;
  for Vez := 1 to 60 do
  begin
    try
      Resposta := Enviar(Metodo, Caminho, Corpo);
      Break;
    except
      on E: ERecusado do
        if (E.Status <> 503) or (Vez = 60) then
          raise;
    end;
    Sleep(1000);
  end;
  try
    Result := Resposta.FindPath(Campo).AsString;
  finally
    Resposta.Free;
  end;
end;

{ Cobra no máximo uma vez: se a resposta se perde, pergunta pela referência antes de enviar de novo. Devolve o NSU. }
function Cobrar(const Referencia, Corpo: string): string;
var
  Resposta: TJSONData;
  Vez: Integer;
  Postar: Boolean;
  Situacao: string;
begin
  Postar := True;
  for Vez := 1 to 300 do
  begin
    try
      if Postar then
        Resposta := Enviar('POST', '/transaction', Corpo)
      else
        Resposta := Enviar('GET', '/transaction/' + Referencia);
      try
        Situacao := Resposta.FindPath('details.status').AsString;
        if Situacao = 'approved' then
          Exit(Resposta.FindPath('nsu').AsString);
        if Situacao <> 'pending' then
          raise ERecusado.Create(403, Resposta.FindPath('message').AsString);
      finally
        Resposta.Free;
      end;
    except
      on ESemResposta do
        Postar := False;
      on E: ERecusado do
        if (E.Status = 404) and not Postar then
          Postar := True { nunca chegou, ou espera a vez: com a mesma referência é seguro repetir }
        else if E.Status >= 500 then
          Postar := False { ocupado ou desfecho desconhecido: primeiro olha }
        else
          raise; { 403: negada ou cancelada; a mensagem diz por quê }
    end;
    Sleep(1000);
  end;
  raise ESemResposta.Create('situação desconhecida: confira mais tarde pela referência, não cobre com outra');
end;

procedure Vender;
var
  Cpf, Referencia, Nsu: string;
begin
  Pedir('POST', '/sale', '{"sellerName": "Bruno"}');
  Pedir('POST', '/sale/item', '{"id": "1", "code": "7891000100103", "description": "Café 500 g", "quantity": 2, "unitPrice": 18.90, "total": 37.80}');
  Pedir('POST', '/sale/item', '{"id": "2", "code": "7896004000855", "description": "Pão de queijo kg", "quantity": 0.412, "unitPrice": 39.90, "total": 16.44}');

  Cpf := 'não informado';
  try
    Cpf := Pedir('POST', '/ask', '{"parameters": {"showCancelButton": true, "buttonCancelText": "Sem CPF"},' +
      ' "question": {"type": "CPF", "question": "CPF na nota?"}}', 'value');
  except
    on E: ERecusado do
      if E.Status <> 409 then { 409: preferiu não informar }
        raise;
  end;

  { Única por cobrança; num PDV de verdade, grave-a antes de cobrar. }
  Referencia := Format('pedido-%s-%d', [FormatDateTime('yyyymmddhhnnsszzz', Now), GetProcessID]);
  try
    Nsu := Cobrar(Referencia, Format('{"tPag": "03", "amount": 54.24, "referenceId": "%s"}', [Referencia]));
  except
    on E: ERecusado do
    begin
      Pedir('POST', '/sale/cancel', '');
      raise Exception.CreateFmt('Pagamento não aprovado (%s): %s', [Referencia, E.Message]);
    end;
  end;

  Pedir('POST', '/sale/payment', '{"tPag": "credit", "value": 54.24}');
  Pedir('POST', '/sale/finalize', '{"message": "Obrigado, volte sempre!"}');
  Pedir('POST', '/print/text', Format('[{"text": {"value": "Recibo", "size": 24, "bold": true, "align": "center"}}, {"line": {"divider": true}},' +
    ' {"text": {"value": "Total R$ 54,24"}}, {"text": {"value": "CPF %s"}}, {"text": {"value": "NSU %s"}}]', [Cpf, Nsu]));
  WriteLn(Format('Venda concluída: R$ 54,24, NSU %s, CPF %s', [Nsu, Cpf]));
end;

begin
  try
    Vender;
  except
    on E: Exception do
    begin
      WriteLn(StdErr, E.Message);
      Halt(1);
    end;
  end;
end.
